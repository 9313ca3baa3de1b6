// Who endorsed each of a page of agents, before $size; a row for each agent, without an endorser where it has none.
MATCH (a:Agent)
WHERE a.agent_id > $after AND a.log_index < $size
WITH a ORDER BY a.agent_id LIMIT $first
OPTIONAL MATCH (o:Agent)-[r:ENDORSED]->(a)
WHERE r.log_index < $size
RETURN a.agent_id AS key, o.agent_id AS start, a.agent_id AS end, properties(r) AS properties
ORDER BY a.agent_id, r.log_index
