// Which of these agents are registered, the hash of each registration, and the messages that end or overrule it.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})
RETURN a.agent_id AS agent_id, a.registration_hash AS registration_hash, a.recovery_key_hash AS recovery_key_hash,
       a.deactivated_at AS deactivated_at, a.probing AS probing
