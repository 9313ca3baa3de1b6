// The packets whose hash each of a page of receipts, returns and dispositions echoes; a row for each at least.
MATCH (n:PacketRecord)
WHERE n.record_hash > $after AND n.log_index < $size
WITH n ORDER BY n.record_hash LIMIT $first
OPTIONAL MATCH (n)-[r:ECHOES]->(p:Packet)
WHERE p.log_index < $size
RETURN n.record_hash AS key, n.record_hash AS start, p.record_hash AS end, properties(r) AS properties
ORDER BY n.record_hash, end
