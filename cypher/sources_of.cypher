// Where these documents come from, by their registrations.
UNWIND $keys AS key
MATCH (d:Document {document_key: key})-[:SOURCED_FROM]->(s:Source)
RETURN d.document_key AS document, s.source_id AS source_id, s.title AS title, s.publisher AS publisher,
       s.origin AS origin
ORDER BY source_id
