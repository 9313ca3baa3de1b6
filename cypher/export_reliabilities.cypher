// A page of the reliabilities that epochs stated before the log had $size entries, by key.
MATCH (n:Reliability)
WHERE n.reliability_key > $after AND n.log_index < $size
RETURN n.reliability_key AS key, properties(n) AS properties
ORDER BY n.reliability_key
LIMIT $first
