// Items of each of these Context Packets between two places in it, from one end, and the subject of each.
// Its place in the packet stands for the place in the log of other lists.
UNWIND $hashes AS hash
MATCH (n:Packet {record_hash: hash})
CALL (n) {
  MATCH (n)-[:HAS_ITEM]->(i:Item)
  WHERE i.position > $start AND i.position < $end
  RETURN i
  ORDER BY i.position * $sign
  LIMIT $limit
}
OPTIONAL MATCH (i)-[:ABOUT]->(s:Statement)
OPTIONAL MATCH (i)-[:ABOUT]->(d:Document)
RETURN n.record_hash AS packet, i.position AS log_index, properties(i) AS properties, s.signed_hash AS statement,
       d.document_key AS document
ORDER BY log_index * $sign
