// The first entries of our log that a peer received at a time or later, and that were of an agent at that time or later.
UNWIND $origins AS origin
MATCH (e:LogEntry {origin: origin})
WHERE coalesce(e.origin_received_at, e.received_at) >= datetime($time)
RETURN min(e.log_index) AS log_index
UNION ALL
MATCH (e:LogEntry {agent: $agent})
WHERE coalesce(e.origin_received_at, e.received_at) >= datetime($time)
RETURN min(e.log_index) AS log_index
