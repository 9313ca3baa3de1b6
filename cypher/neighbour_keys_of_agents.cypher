// The keys of these agents, before a log size, oldest first.
UNWIND $names AS name
MATCH (a:Agent {agent_id: name})-[:HAS_KEY]->(k:Key)
WHERE k.log_index < $as_of
RETURN DISTINCT name AS parent, k.key_id AS name, null AS id, k.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
