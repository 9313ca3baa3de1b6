// A page of the agents registered before the log had $size entries, by id.
MATCH (n:Agent)
WHERE n.agent_id > $after AND n.log_index < $size
RETURN n.agent_id AS key, properties(n) AS properties
ORDER BY n.agent_id
LIMIT $first
