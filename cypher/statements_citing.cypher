// The first statements in log order that cite each of these chunks.
UNWIND $keys AS key
MATCH (c:Chunk {chunk_key: key})
CALL (c) {
  MATCH (c)<-[:CITES]-(s:Statement)
  RETURN DISTINCT s
  ORDER BY s.log_index
  LIMIT $first
}
RETURN c.chunk_key AS chunk, s.signed_hash AS signed_hash
ORDER BY s.log_index
