// Where these documents come from, by their registrations.
UNWIND $keys AS key
MATCH (d:Document {document_key: key})-[:SOURCED_FROM]->(s:Source)
RETURN d.document_key AS document, s {.source_id, .title, .publisher, .origin} AS source
ORDER BY s.source_id
