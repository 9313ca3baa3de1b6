// The first statements in log order that cite these passages, before a log size.
UNWIND $names AS name
MATCH (c:Chunk {chunk_key: name})<-[:CITES]-(s:Statement)
WHERE s.log_index < $as_of
RETURN DISTINCT name AS parent, s.signed_hash AS name, s.statement_id AS id, s.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
