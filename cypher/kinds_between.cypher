// The kinds of the entries from one place of the log to another, the latter left out.
UNWIND range($start, $end - 1) AS place
MATCH (l:LogEntry {log_index: place})
RETURN DISTINCT l.type AS type
ORDER BY type
