// Joins Context Packets to the packets that they say they supersede; the first eight.
UNWIND $rows AS row
MATCH (n:Packet {record_hash: row.record_hash})
MATCH (p:Packet {packet_id: n.supersedes_packet})
WHERE p.record_hash <> n.record_hash
WITH n, p
ORDER BY p.log_index, p.record_hash
WITH n, collect(p)[0..8] AS earlier
UNWIND earlier AS p
MERGE (n)-[:SUPERSEDES]->(p)
