// The registered keys of each of these agents, oldest first.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})-[:HAS_KEY]->(k:Key)
RETURN a.agent_id AS agent, k {.key_id, .public_key, .alias, .log_index} AS key
ORDER BY k.log_index, k.key_id
