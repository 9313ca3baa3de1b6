// The first receipts, returns and dispositions in log order that echo these packets, before a log size, both readable.
UNWIND $names AS name
MATCH (p:Packet {record_hash: name})-[:RECORD_OF]->(e:Document)
MATCH (p)<-[:ECHOES]-(n:PacketRecord)-[:RECORD_OF]->(b:Document)
WHERE n.log_index < $as_of AND b.boundary IN $readable AND e.boundary IN $readable
RETURN name AS parent, n.record_hash AS name, n.record_hash AS id, n.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
