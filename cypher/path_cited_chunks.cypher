// The passages that these statements cite, with the place of the statement, before a log size.
UNWIND $names AS name
MATCH (s:Statement {signed_hash: name})-[:CITES]->(c:Chunk)
WHERE s.log_index < $as_of
RETURN DISTINCT name AS parent, c.chunk_key AS name, c.chunk_id AS id, s.log_index AS log_index
LIMIT $first
