// The first items of each of these Context Packets, and the statement or document that each is about.
UNWIND $hashes AS hash
MATCH (n:Packet {record_hash: hash})
CALL (n) {
  MATCH (n)-[:HAS_ITEM]->(i:Item)
  RETURN i
  ORDER BY i.position
  LIMIT $first
}
OPTIONAL MATCH (i)-[:ABOUT]->(s:Statement)
RETURN n.record_hash AS packet, properties(i) AS properties, s.signed_hash AS statement
ORDER BY i.position
