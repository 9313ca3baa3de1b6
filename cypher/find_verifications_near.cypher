// The same as find_verifications by looking up each place of the log.
UNWIND range($start + 1, $end - 1) AS place
MATCH (v:Verification {log_index: place})
WHERE ($verdicts IS NULL OR v.verdict IN $verdicts)
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
