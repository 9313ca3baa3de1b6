// A page of the epochs written before the log had $size entries, by hash.
MATCH (n:Epoch)
WHERE n.signed_hash > $after AND n.log_index < $size
RETURN n.signed_hash AS key, properties(n) AS properties
ORDER BY n.signed_hash
LIMIT $first
