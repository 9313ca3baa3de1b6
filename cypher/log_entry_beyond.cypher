// The first log entry at a place of the log or anywhere behind it, if there is one.
MATCH (e:LogEntry)
WHERE e.log_index >= $start
RETURN e.log_index AS log_index
ORDER BY log_index
LIMIT 1
