// Joins dispositions to the returns of the same packet that they are about; of many with one id, to the first eight.
UNWIND $rows AS row
MATCH (d:PacketRecord {record_hash: row.record_hash})
MATCH (r:PacketRecord {record_id: row.return_id})
WHERE r.kind = 'packet-return' AND r.packet_hash = d.packet_hash
WITH d, r
ORDER BY r.log_index, r.record_hash
WITH d, collect(r)[0..8] AS returns
UNWIND returns AS r
MERGE (d)-[:DISPOSES]->(r)
