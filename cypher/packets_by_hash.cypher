// Context Packets by the hash of their bytes, with their class, and when each says it was made, in log order.
UNWIND $hashes AS hash
MATCH (n:Packet {record_hash: hash})-[:RECORD_OF]->(d:Document)
RETURN n.record_hash AS record_hash, n.created_at AS created_at, d.boundary AS boundary, d.redacted AS redacted,
       properties(n) AS properties
ORDER BY n.log_index
