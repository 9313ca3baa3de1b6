// Joins Context Packets that say they supersede a packet which comes after them, unless they have eight already.
UNWIND $rows AS row
MATCH (p:Packet {record_hash: row.record_hash})
MATCH (n:Packet {supersedes_packet: row.packet_id})
WHERE n.record_hash <> p.record_hash AND size([(n)-[:SUPERSEDES]->(x:Packet) | 1]) < 8
MERGE (n)-[:SUPERSEDES]->(p)
