// The events of the keys of each of these agents, in no order; the registration of an agent is the first.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})
RETURN a.agent_id AS agent_id, 'AgentRegistration' AS type, a.key_id AS key_id, a.key_id AS signed_by,
       'key' AS authority, [] AS replaces, null AS reason, null AS not_trusted_since, a.log_index AS log_index,
       a.registration_hash AS signed_hash, false AS void
UNION ALL
UNWIND $ids AS id
MATCH (e:KeyEvent {agent_id: id})
RETURN e.agent_id AS agent_id, e.type AS type, e.key_id AS key_id, e.signed_by AS signed_by,
       e.authority AS authority, e.replaces AS replaces, e.reason AS reason, e.not_trusted_since AS not_trusted_since,
       e.log_index AS log_index, e.signed_hash AS signed_hash, e.void AS void
