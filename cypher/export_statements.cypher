// The statements of a stretch of the log, in order.
MATCH (n:Statement)
WHERE n.log_index >= $start AND n.log_index < $end
RETURN properties(n) AS properties
ORDER BY n.log_index
