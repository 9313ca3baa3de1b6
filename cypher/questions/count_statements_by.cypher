// How many statements does an agent make, and how many of them are verified?
MATCH (a:Agent {agent_id: $agent})
OPTIONAL MATCH (a)-[:GENERATED]->(s:Statement)
RETURN a.name AS agent, count(s) AS statements, sum(CASE WHEN s.verified THEN 1 ELSE 0 END) AS verified
LIMIT $first
