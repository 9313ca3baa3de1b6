// The verdicts between two places of the log that meet conditions, by something, from one end.
MATCH (v:Verification)
WHERE v.log_index > $start AND v.log_index < $end
  AND ($verdicts IS NULL OR v.verdict IN $verdicts)
  AND ($criterion IS NULL OR $criterion IN v.finding_criteria)
  AND ($machine IS NULL OR v.machine = $machine)
  AND ($verified_from IS NULL OR v.verified_at.epochSeconds * 1000000 + v.verified_at.microsecond >= $verified_from)
  AND ($verified_until IS NULL OR v.verified_at.epochSeconds * 1000000 + v.verified_at.microsecond < $verified_until)
WITH v, CASE $order WHEN 'CONFIDENCE' THEN v.confidence
                    WHEN 'VERIFIED_AT' THEN v.verified_at.epochSeconds * 1000000 + v.verified_at.microsecond
                    ELSE 0 END AS rank
WHERE (rank > $low_rank OR (rank = $low_rank AND v.log_index > $low))
  AND (rank < $high_rank OR (rank = $high_rank AND v.log_index < $high))
RETURN v.signed_hash AS name, rank AS rank, v.log_index AS number
ORDER BY rank * $sign, number * $sign
LIMIT $limit
