// The name of the agent that was registered at a place of the log.
MATCH (a:Agent)
WHERE a.log_index = $place
RETURN coalesce(a.name, '') AS name
LIMIT 1
