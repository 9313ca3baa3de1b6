// The packets that these bytes are, before a log size.
UNWIND $names AS name
MATCH (n:Packet {record_hash: name})
WHERE n.log_index < $as_of
RETURN name AS parent, n.record_hash AS name, n.record_hash AS id, n.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
