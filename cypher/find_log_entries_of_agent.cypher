// The log entries of an agent's messages between two places that meet conditions, by something, from one end.
UNWIND [$agent] AS id
MATCH (e:LogEntry {agent: id})
WHERE e.log_index > $start AND e.log_index < $end
  AND ($types IS NULL OR e.type IN $types)
  AND ($origin IS NULL OR e.origin = $origin)
  AND ($received_from IS NULL OR e.received_at.epochSeconds * 1000000 + e.received_at.microsecond >= $received_from)
  AND ($received_until IS NULL OR e.received_at.epochSeconds * 1000000 + e.received_at.microsecond < $received_until)
WITH e, CASE $order WHEN 'RECEIVED_AT' THEN e.received_at.epochSeconds * 1000000 + e.received_at.microsecond
                    WHEN 'ORIGIN_RECEIVED_AT'
                    THEN coalesce(e.origin_received_at.epochSeconds * 1000000 + e.origin_received_at.microsecond,
                                  e.received_at.epochSeconds * 1000000 + e.received_at.microsecond)
                    ELSE 0 END AS rank
WHERE (rank > $low_rank OR (rank = $low_rank AND e.log_index > $low))
  AND (rank < $high_rank OR (rank = $high_rank AND e.log_index < $high))
RETURN e.log_index AS log_index, e.v AS v, e.origin AS origin, e.type AS type, e.id AS id,
       e.document_hash AS document_hash, e.signed_hash AS signed_hash, e.agent AS agent, e.key AS key,
       e.received_at AS received_at, e.origin_index AS origin_index,
       e.origin_received_at AS origin_received_at, rank AS rank
ORDER BY rank * $sign, log_index * $sign
LIMIT $limit
