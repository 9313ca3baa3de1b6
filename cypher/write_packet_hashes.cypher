// Joins receipts, returns and dispositions that came before their packet to it, unless they have eight packets already.
UNWIND $rows AS row
MATCH (p:Packet {record_hash: row.record_hash})
MATCH (r:PacketRecord {packet_hash: row.packet_hash})
WHERE size([(r)-[:ECHOES]->(x:Packet) | 1]) < 8
MERGE (r)-[:ECHOES]->(p)
