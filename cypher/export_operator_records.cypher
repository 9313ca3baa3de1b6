// A page of the operators' records that epochs stated before the log had $size entries, by key.
MATCH (n:OperatorRecord)
WHERE n.record_key > $after AND n.log_index < $size
RETURN n.record_key AS key, properties(n) AS properties
ORDER BY n.record_key
LIMIT $first
