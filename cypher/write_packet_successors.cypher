// Joins Context Packets that say they supersede a packet which comes after them, where it is one of the first eight.
UNWIND $rows AS row
MATCH (q:Packet {packet_id: row.packet_id})
WITH row, q
ORDER BY q.log_index, q.record_hash
WITH row, collect(q.record_hash)[0..9] AS earliest
WHERE row.record_hash IN earliest
MATCH (p:Packet {record_hash: row.record_hash})
MATCH (n:Packet {supersedes_packet: row.packet_id})
WHERE n.record_hash <> p.record_hash
      AND p.record_hash IN [other IN earliest WHERE other <> n.record_hash][0..8]
MERGE (n)-[:SUPERSEDES]->(p)
