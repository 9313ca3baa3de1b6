// Which agents have validated the same statements, and how many?
MATCH (a:Agent)-[:VERIFIED {verdict: 'VALIDATED'}]->(s:Statement)<-[:VERIFIED {verdict: 'VALIDATED'}]-(b:Agent)
WHERE a.agent_id < b.agent_id
RETURN a.name AS agent, b.name AS other, count(DISTINCT s) AS agreements
ORDER BY agreements DESC, agent, other
LIMIT $first
