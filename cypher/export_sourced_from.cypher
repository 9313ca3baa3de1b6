// The sources of a page of documents; a row for each document, without a source where it has none.
MATCH (d:Document)
WHERE d.document_key > $after
WITH d ORDER BY d.document_key LIMIT $first
OPTIONAL MATCH (d)-[r:SOURCED_FROM]->(s:Source)
RETURN d.document_key AS key, d.document_key AS start, s.source_id AS end, properties(r) AS properties
ORDER BY d.document_key, s.source_id
