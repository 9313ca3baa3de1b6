// Joins receipts, returns and dispositions to the packets whose hash they echo; of many with one hash, to the first eight.
UNWIND $rows AS row
MATCH (r:PacketRecord {record_hash: row.record_hash})
MATCH (p:Packet {packet_hash: row.packet_hash})
WITH r, p
ORDER BY p.log_index, p.record_hash
WITH r, collect(p)[0..8] AS packets
UNWIND packets AS p
MERGE (r)-[:ECHOES]->(p)
