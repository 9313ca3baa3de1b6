// The registered keys with these did:key values.
UNWIND $references AS reference
MATCH (k:Key {public_key: reference})
RETURN k.key_id AS key_id, k.agent_id AS agent_id, k.public_key AS public_key, k.alias AS alias
