// The first documents that these statements cite, with the place of the statement.
UNWIND $names AS name
MATCH (s:Statement {signed_hash: name})-[:CITES]->(:Chunk)-[:PART_OF]->(d:Document)
WHERE s.log_index < $as_of
RETURN DISTINCT name AS parent, d.document_key AS name, d.doc_id AS id, s.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
