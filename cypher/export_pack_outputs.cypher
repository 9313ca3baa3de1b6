// The content that each of a page of Context Packs generated; a row for each, without content where there is none.
MATCH (n:Pack)
WHERE n.record_hash > $after AND n.log_index < $size
WITH n ORDER BY n.record_hash LIMIT $first
OPTIONAL MATCH (n)-[r:GENERATED]->(d:Document)
RETURN n.record_hash AS key, n.record_hash AS start, d.document_key AS end, properties(r) AS properties
ORDER BY n.record_hash, r.position
