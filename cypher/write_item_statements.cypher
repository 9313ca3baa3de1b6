// Joins items of Context Packets to the statements that they are about and that were in the log before the packet.
UNWIND $rows AS row
MATCH (i:Item {item_key: row.item_key})
MATCH (n:Packet {record_hash: i.record_hash})
MATCH (s:Statement {signed_hash: row.about})
WHERE s.log_index < n.log_index
MERGE (i)-[:ABOUT]->(s)
