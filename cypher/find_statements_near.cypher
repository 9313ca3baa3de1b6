// The same as find_statements by looking up each number.
UNWIND range($start + 1, $end - 1) AS place
MATCH (s:Statement {statement_index: place})
WHERE ($verified IS NULL OR s.verified = $verified)
  AND ($min_score IS NULL OR s.consensus_score >= $min_score)
  AND ($max_score IS NULL OR s.consensus_score <= $max_score)
  AND ($generated_from IS NULL
       OR s.generated_at.epochSeconds * 1000000 + s.generated_at.microsecond >= $generated_from)
  AND ($generated_until IS NULL
       OR s.generated_at.epochSeconds * 1000000 + s.generated_at.microsecond < $generated_until)
  AND ($statuses IS NULL OR CASE WHEN s.retracted THEN 'RETRACTED' WHEN s.superseded_by IS NOT NULL THEN 'SUPERSEDED'
                                 ELSE 'CURRENT' END IN $statuses)
WITH s, CASE $order WHEN 'SCORE' THEN s.consensus_score WHEN 'CONFIDENCE' THEN s.confidence
                    WHEN 'GENERATED_AT' THEN s.generated_at.epochSeconds * 1000000 + s.generated_at.microsecond
                    ELSE 0 END AS rank
WHERE (rank > $low_rank OR (rank = $low_rank AND s.statement_index > $low))
  AND (rank < $high_rank OR (rank = $high_rank AND s.statement_index < $high))
RETURN s.signed_hash AS name, rank AS rank, s.statement_index AS number
ORDER BY rank * $sign, number * $sign
LIMIT $limit
