// A page of the keys registered before the log had $size entries, by id.
MATCH (n:Key)
WHERE n.key_id > $after AND n.log_index < $size
RETURN n.key_id AS key, properties(n) AS properties
ORDER BY n.key_id
LIMIT $first
