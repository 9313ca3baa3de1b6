// Registers agents with their first key.
UNWIND $rows AS row
MERGE (a:Agent {agent_id: row.agent_id})
SET a.name = row.name, a.version = row.version, a.publisher = row.publisher,
    a.capabilities = row.capabilities, a.person = row.person, a.public_key = row.public_key, a.key_id = row.key_id,
    a.registered_at = datetime(row.registered_at), a.registration_hash = row.signed_hash,
    a.registration_id = row.registration_id, a.recovery_key_hash = row.recovery_key_hash,
    a.invitation_hash = row.invitation_hash, a.origin = row.origin,
    a.reputation = row.reputation, a.verdicts_right = 0, a.verdicts_wrong = 0, a.log_index = row.log_index
MERGE (k:Key {key_id: row.key_id})
SET k.agent_id = row.agent_id, k.public_key = row.public_key, k.alias = row.alias, k.log_index = row.log_index
MERGE (a)-[:HAS_KEY]->(k)
