// The present scores of the statements that the log took in, in each bucket of time (-1 is all before), below a size.
// Scores are added as whole billionths: a sum of fractions depends on its order.
MATCH (s:Statement)
WHERE s.log_index < $as_of AND s.received_at < datetime($until)
WITH CASE WHEN s.verified THEN 1 ELSE 0 END AS verified, CASE WHEN s.retracted THEN 1 ELSE 0 END AS retracted,
     toInteger(round(coalesce(s.consensus_score, 0.0) * 1000000000)) AS score,
     CASE WHEN s.received_at < datetime($since) THEN -1
          WHEN $monthly THEN s.received_at.year * 12 + s.received_at.month - 1
          ELSE (s.received_at.epochSeconds + $offset) / $seconds END AS bucket
RETURN bucket AS bucket, count(*) AS number, sum(verified) AS verified, sum(retracted) AS retracted, sum(score) AS score
ORDER BY bucket
