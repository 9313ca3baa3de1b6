// The packets of these names, a record hash, a packet hash or an id, with their class, the first in the log first.
UNWIND $names AS name
MATCH (n:Packet {record_hash: name})-[:RECORD_OF]->(d:Document)
RETURN name AS name, d.boundary AS boundary, d.redacted AS redacted, properties(n) AS properties
ORDER BY n.log_index, n.record_hash
UNION ALL
UNWIND $names AS name
MATCH (n:Packet {packet_hash: name})-[:RECORD_OF]->(d:Document)
RETURN name AS name, d.boundary AS boundary, d.redacted AS redacted, properties(n) AS properties
ORDER BY n.log_index, n.record_hash
UNION ALL
UNWIND $names AS name
MATCH (n:Packet {packet_id: name})-[:RECORD_OF]->(d:Document)
RETURN name AS name, d.boundary AS boundary, d.redacted AS redacted, properties(n) AS properties
ORDER BY n.log_index, n.record_hash
