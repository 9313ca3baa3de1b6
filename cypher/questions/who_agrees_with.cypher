// Which agents have validated statements that one agent has validated, and how many?
MATCH (a:Agent {agent_id: $agent})-[:VERIFIED {verdict: 'VALIDATED'}]->(s:Statement)
MATCH (s)<-[:VERIFIED {verdict: 'VALIDATED'}]-(b:Agent)
WHERE b.agent_id <> $agent
RETURN b.name AS agent, b.agent_id AS agent_id, count(DISTINCT s) AS agreements
ORDER BY agreements DESC, agent_id
LIMIT $first
