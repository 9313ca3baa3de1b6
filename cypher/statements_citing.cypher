// The statements that cite each of these chunks between two places of the log, so many at most, from one end.
UNWIND $keys AS key
MATCH (c:Chunk {chunk_key: key})
CALL (c) {
  MATCH (c)<-[:CITES]-(s:Statement)
  WHERE s.log_index > $start AND s.log_index < $end
  RETURN DISTINCT s
  ORDER BY s.log_index * $sign
  LIMIT $limit
}
RETURN c.chunk_key AS chunk, s.signed_hash AS signed_hash, s.log_index AS log_index
ORDER BY log_index * $sign
