// Who endorsed each of the next agents with a trusted key, whole agents at a time, by the id of the endorsed agent.
MATCH (:Agent)-[e:ENDORSED]->(a:Agent)
WHERE e.key_trusted AND a.agent_id > $after
WITH DISTINCT a ORDER BY a.agent_id LIMIT $first
MATCH (operator:Agent)-[e:ENDORSED]->(a)
WHERE e.key_trusted
RETURN a.agent_id AS agent_id, operator.agent_id AS operator, min(e.log_index) AS log_index
ORDER BY agent_id, operator
