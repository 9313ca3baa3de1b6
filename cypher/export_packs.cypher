// A page of the Context Packs that were registered before the log had $size entries, by hash.
MATCH (n:Pack)
WHERE n.record_hash > $after AND n.log_index < $size
RETURN n.record_hash AS key, properties(n) AS properties
ORDER BY n.record_hash
LIMIT $first
