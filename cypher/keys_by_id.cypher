// The registered keys of these ids.
UNWIND $references AS reference
MATCH (k:Key {key_id: reference})
RETURN k.key_id AS key_id, k.agent_id AS agent_id, k.public_key AS public_key, k.alias AS alias
