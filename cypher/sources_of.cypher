// The sources of these documents, by their registrations, and whether a reader may see the description of each.
// The first registration under a name describes it, that of an agent that the operator answers for if there is one, and
// is that of any of the documents under the name (boundaries_of_sources).
UNWIND $keys AS key
MATCH (d:Document {document_key: key})-[:SOURCED_FROM]->(s:Source)
RETURN d.document_key AS document, s.source_id AS source_id, s.title AS title, s.publisher AS publisher,
       s.origin AS origin,
       NOT EXISTS {
         MATCH (s)<-[f:SOURCED_FROM]-(o:Document)
         WHERE NOT o.boundary IN $readable
           AND (coalesce(f.answered_for, false) OR NOT coalesce(s.answered_for, false))
       } AS readable
ORDER BY source_id
