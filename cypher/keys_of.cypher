// The registered keys of each of these agents, oldest first.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})-[:HAS_KEY]->(k:Key)
RETURN a.agent_id AS agent, k.key_id AS key_id, k.public_key AS public_key, k.alias AS alias,
       k.log_index AS log_index
ORDER BY log_index, key_id
