// A page of the events of keys before the log had $size entries, by hash.
MATCH (n:KeyEvent)
WHERE n.signed_hash > $after AND n.log_index < $size
RETURN n.signed_hash AS key, properties(n) AS properties
ORDER BY n.signed_hash
LIMIT $first
