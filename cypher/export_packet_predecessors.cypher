// The packets that each of a page of Context Packets supersedes, and who may read the two; a row for each at least.
MATCH (n:Packet)
WHERE n.record_hash > $after AND n.log_index < $size
WITH n ORDER BY n.record_hash LIMIT $first
MATCH (n)-[:RECORD_OF]->(b:Document)
OPTIONAL MATCH (n)-[r:SUPERSEDES]->(p:Packet)-[:RECORD_OF]->(e:Document)
WHERE p.log_index < $size
RETURN n.record_hash AS key, n.record_hash AS start, p.record_hash AS end, [b.boundary, e.boundary] AS boundaries,
       properties(r) AS properties
ORDER BY n.record_hash, end
