// A page of the Context Packets after a place in the log, oldest first, with their classes.
MATCH (n:Packet)
WHERE n.log_index > $after
WITH n ORDER BY n.log_index LIMIT $first
MATCH (n)-[:RECORD_OF]->(d:Document)
RETURN d.boundary AS boundary, d.redacted AS redacted, properties(n) AS properties
ORDER BY n.log_index
