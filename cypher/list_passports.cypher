// Context Passports, newest first, from before a place in the log; of an agent, run, type of event or branch if named.
MATCH (n:Passport)
WHERE ($after IS NULL OR n.log_index < $after)
      AND ($agent IS NULL OR n.agent_id = $agent)
      AND ($trace IS NULL OR n.trace_id = $trace)
      AND ($event IS NULL OR n.event_type = $event)
      AND ($branch IS NULL OR n.branch_key = $branch)
RETURN n.record_hash AS record_hash, n.log_index AS log_index
ORDER BY n.log_index DESC
LIMIT $first
