// The names of agents that were registered at a place of the log or after it, first registration first.
MATCH (a:Agent)
WHERE a.log_index >= $start
RETURN a.agent_id AS agent_id, coalesce(a.name, '') AS name, a.log_index AS log_index
ORDER BY log_index
LIMIT $limit
