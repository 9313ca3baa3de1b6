// How many agents have handed in something in each bucket of time (-1 is all the time before), below a size of the log.
MATCH (e:LogEntry)
WHERE e.log_index < $as_of AND e.received_at < datetime($until) AND e.agent IS NOT NULL
WITH e.agent AS agent,
     CASE WHEN e.received_at < datetime($since) THEN -1
          WHEN $monthly THEN e.received_at.year * 12 + e.received_at.month - 1
          ELSE (e.received_at.epochSeconds + $offset) / $seconds END AS bucket
RETURN bucket AS bucket, count(DISTINCT agent) AS number
ORDER BY bucket
