// Context Passports of an agent, of a run, type of event or branch if named, by something, from one end.
UNWIND [$agent] AS id
MATCH (n:Passport {agent_id: id})
WHERE n.log_index > $start AND n.log_index < $end
  AND ($agent IS NULL OR n.agent_id = $agent)
  AND ($trace IS NULL OR n.trace_id = $trace)
  AND ($event IS NULL OR n.event_type = $event)
  AND ($branch IS NULL OR n.branch_key = $branch)
WITH n, CASE $order WHEN 'EVENT_TIME'
                    THEN coalesce(n.event_time.epochSeconds * 1000000 + n.event_time.microsecond, $timeless)
                    ELSE 0 END AS rank
WHERE (rank > $low_rank OR (rank = $low_rank AND n.log_index > $low))
  AND (rank < $high_rank OR (rank = $high_rank AND n.log_index < $high))
RETURN n.record_hash AS record_hash, n.log_index AS log_index, rank AS rank
ORDER BY rank * $sign, log_index * $sign
LIMIT $limit
