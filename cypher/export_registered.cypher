// Who registered each of a page of documents, before $size; a row for each document, without an agent where it has none.
MATCH (d:Document)
WHERE d.document_key > $after
WITH d ORDER BY d.document_key LIMIT $first
OPTIONAL MATCH (a:Agent)-[r:REGISTERED]->(d)
WHERE r.log_index < $size
RETURN d.document_key AS key, a.agent_id AS start, d.document_key AS end, properties(r) AS properties
ORDER BY d.document_key, r.log_index
