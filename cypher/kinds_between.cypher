// The kinds of the entries from one place of the log to another, the latter left out.
MATCH (l:LogEntry)
WHERE l.log_index >= $start AND l.log_index < $end
RETURN DISTINCT l.type AS type
ORDER BY type
