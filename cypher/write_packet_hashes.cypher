// Joins receipts, returns and dispositions that came before their packet to it, where it is one of the first eight.
UNWIND $rows AS row
MATCH (q:Packet {packet_hash: row.packet_hash})
WITH row, q
ORDER BY q.log_index, q.record_hash
WITH row, collect(q.record_hash)[0..8] AS earliest
WHERE row.record_hash IN earliest
MATCH (p:Packet {record_hash: row.record_hash})
MATCH (r:PacketRecord {packet_hash: row.packet_hash})
MERGE (r)-[:ECHOES]->(p)
