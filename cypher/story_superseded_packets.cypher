// The packets that these say they supersede.
UNWIND $names AS name
MATCH (p:Packet {record_hash: name})-[:SUPERSEDES]->(n:Packet)
WHERE n.log_index < $as_of
RETURN name AS parent, n.record_hash AS name, n.record_hash AS id, n.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
