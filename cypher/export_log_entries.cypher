// The log entries of a stretch of the log, in order.
MATCH (n:LogEntry)
WHERE n.log_index >= $start AND n.log_index < $end
RETURN properties(n) AS properties
ORDER BY n.log_index
