// A page of the Context Packets that were registered before the log had $size entries, by hash.
MATCH (n:Packet)
WHERE n.record_hash > $after AND n.log_index < $size
WITH n ORDER BY n.record_hash LIMIT $first
MATCH (n)-[:RECORD_OF]->(d:Document)
RETURN n.record_hash AS key, d.boundary AS boundary, properties(n) AS properties
ORDER BY n.record_hash
