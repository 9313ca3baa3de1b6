// How many entries of each type the log took in, in each bucket of time (-1 is all the time before), below a size.
MATCH (e:LogEntry)
WHERE e.log_index < $as_of AND e.received_at < datetime($until)
WITH e.type AS type,
     CASE WHEN e.received_at < datetime($since) THEN -1
          WHEN $monthly THEN e.received_at.year * 12 + e.received_at.month - 1
          ELSE (e.received_at.epochSeconds + $offset) / $seconds END AS bucket
RETURN bucket AS bucket, type AS type, count(*) AS number
ORDER BY bucket, type
