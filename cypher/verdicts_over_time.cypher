// How many verdicts of each kind the log took in, in each bucket of time (-1 is all the time before), below a size.
MATCH (v:Verification)
WHERE v.log_index < $as_of AND v.received_at < datetime($until)
WITH v.verdict AS verdict, coalesce(v.machine, false) AS machine,
     CASE WHEN v.received_at < datetime($since) THEN -1
          WHEN $monthly THEN v.received_at.year * 12 + v.received_at.month - 1
          ELSE (v.received_at.epochSeconds + $offset) / $seconds END AS bucket
RETURN bucket AS bucket, verdict AS verdict, machine AS machine, count(*) AS number
ORDER BY bucket, verdict, machine
