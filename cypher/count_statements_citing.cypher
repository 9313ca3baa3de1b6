// How many statements cite each of these chunks, so many at most.
UNWIND $keys AS key
MATCH (c:Chunk {chunk_key: key})
CALL (c) {
  MATCH (c)<-[:CITES]-(s:Statement)
  WITH DISTINCT s LIMIT $most
  RETURN count(s) AS number
}
RETURN c.chunk_key AS chunk, number AS number
