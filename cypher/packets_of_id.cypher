// The first Context Packets in the log that give themselves one of these ids, and whose words are for this reader.
UNWIND $names AS name
MATCH (n:Packet {packet_id: name})-[:RECORD_OF]->(d:Document)
WHERE d.redacted IS NULL AND coalesce(d.boundary, 'public') IN $readable
RETURN d.boundary AS boundary, d.redacted AS redacted, properties(n) AS properties
ORDER BY n.log_index, n.record_hash
LIMIT $first
