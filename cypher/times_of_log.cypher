// When the log below a size took in its first and its last entry, by its own clock.
MATCH (e:LogEntry)
WHERE e.log_index < $as_of
RETURN min(e.received_at) AS first, max(e.received_at) AS last
