// The registered keys that claimed these aliases, perhaps of several agents.
UNWIND $references AS reference
MATCH (k:Key {alias: reference})
RETURN k.key_id AS key_id, k.agent_id AS agent_id, k.public_key AS public_key, k.alias AS alias,
       k.log_index AS valid_from, k.retired_at AS retired_at, k.not_trusted_since AS not_trusted_since,
       k.revoked_reason AS revoked_reason
