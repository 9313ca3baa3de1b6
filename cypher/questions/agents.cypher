// Which agents are registered, and how many statements does each make?
MATCH (a:Agent)
OPTIONAL MATCH (a)-[:GENERATED]->(s:Statement)
RETURN a.name AS agent, a.agent_id AS agent_id, a.publisher AS publisher, count(s) AS statements
ORDER BY statements DESC, agent_id
LIMIT $first
