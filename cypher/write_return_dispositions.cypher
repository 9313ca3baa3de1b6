// Joins dispositions that came before their return to it, unless they have eight returns already.
UNWIND $rows AS row
MATCH (r:PacketRecord {record_hash: row.record_hash})
MATCH (d:PacketRecord {return_id: row.record_id})
WHERE d.kind = 'packet-disposition' AND d.packet_hash = r.packet_hash
  AND size([(d)-[:DISPOSES]->(x:PacketRecord) | 1]) < 8
MERGE (d)-[:DISPOSES]->(r)
