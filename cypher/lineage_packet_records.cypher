// The first receipts, returns and dispositions in log order that echo the hash of these packets, before a log size.
UNWIND $names AS name
MATCH (p:Packet {record_hash: name})<-[:ECHOES]-(n:PacketRecord)
WHERE n.log_index < $as_of
RETURN name AS parent, n.record_hash AS name, n.record_hash AS id, n.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
