// Joins dispositions that came before their return to it, where it is one of the first eight.
UNWIND $rows AS row
MATCH (r:PacketRecord {record_hash: row.record_hash})
MATCH (q:PacketRecord {record_id: row.record_id})
WHERE q.kind = 'packet-return' AND q.packet_hash = r.packet_hash
WITH row, r, q
ORDER BY q.log_index, q.record_hash
WITH row, r, collect(q.record_hash)[0..8] AS earliest
WHERE row.record_hash IN earliest
MATCH (d:PacketRecord {return_id: row.record_id})
WHERE d.kind = 'packet-disposition' AND d.packet_hash = r.packet_hash
MERGE (d)-[:DISPOSES]->(r)
