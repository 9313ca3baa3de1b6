// The family of each of a page of agents, as stated before $size; a row for each agent, without a family where it has none.
MATCH (a:Agent)
WHERE a.agent_id > $after AND a.log_index < $size
WITH a ORDER BY a.agent_id LIMIT $first
OPTIONAL MATCH (a)-[r:SPECIALIZATION_OF]->(f:AgentFamily)
WHERE r.log_index < $size
RETURN a.agent_id AS key, a.agent_id AS start, f.family_id AS end, properties(r) AS properties
ORDER BY a.agent_id
