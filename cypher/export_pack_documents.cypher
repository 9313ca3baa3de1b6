// The bytes of each of a page of Context Packs.
MATCH (n:Pack)
WHERE n.record_hash > $after AND n.log_index < $size
WITH n ORDER BY n.record_hash LIMIT $first
MATCH (n)-[r:RECORD_OF]->(d:Document)
RETURN n.record_hash AS key, n.record_hash AS start, d.document_key AS end, properties(r) AS properties
ORDER BY n.record_hash
