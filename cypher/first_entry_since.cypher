// The first log entry that was received at a time or later.
MATCH (e:LogEntry)
WHERE e.received_at >= datetime($time)
RETURN min(e.log_index) AS log_index
