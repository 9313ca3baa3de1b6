// The packs that each of a page of Context Packs follows; a row for each, without a pack where it follows none.
MATCH (n:Pack)
WHERE n.record_hash > $after AND n.log_index < $size
WITH n ORDER BY n.record_hash LIMIT $first
OPTIONAL MATCH (n)-[r:INFORMED_BY]->(p:Pack)
WHERE p.log_index < $size
RETURN n.record_hash AS key, n.record_hash AS start, p.record_hash AS end, properties(r) AS properties
ORDER BY n.record_hash
