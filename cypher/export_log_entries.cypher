// The log entries of a stretch of the log, in order.
UNWIND range($start, $end - 1) AS place
MATCH (n:LogEntry {log_index: place})
RETURN properties(n) AS properties
ORDER BY n.log_index
