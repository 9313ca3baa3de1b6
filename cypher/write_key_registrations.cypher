// Registers further keys of agents.
UNWIND $rows AS row
MATCH (a:Agent {agent_id: row.agent_id})
CREATE (k:Key {key_id: row.key_id})
SET k.agent_id = row.agent_id, k.public_key = row.public_key, k.alias = row.alias, k.log_index = row.log_index,
    k.registered_by = row.signed_by,
    a.recovery_key_hash = coalesce(row.recovery_key_hash, a.recovery_key_hash)
CREATE (a)-[:HAS_KEY]->(k)
