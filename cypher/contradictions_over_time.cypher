// How often statements say that they contradict another, in each bucket of time (-1 is all before), below a size.
MATCH (s:Statement)-[:CONTRADICTS]->(t:Statement)
WHERE s.log_index < $as_of AND s.received_at < datetime($until)
WITH CASE WHEN s.received_at < datetime($since) THEN -1
          WHEN $monthly THEN s.received_at.year * 12 + s.received_at.month - 1
          ELSE (s.received_at.epochSeconds + $offset) / $seconds END AS bucket
RETURN bucket AS bucket, count(*) AS number
ORDER BY bucket
