// The registered keys of each of these agents, oldest first, with their later events.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})-[:HAS_KEY]->(k:Key)
RETURN a.agent_id AS agent, k.key_id AS key_id, k.public_key AS public_key, k.alias AS alias,
       k.log_index AS log_index, k.retired_at AS retired_at, k.not_trusted_since AS not_trusted_since,
       k.revoked_reason AS revoked_reason, k.revoked_by AS revoked_by, k.registered_by AS registered_by,
       a.deactivated_at AS deactivated_at
ORDER BY log_index, key_id
