// The family that each of these agents is a version of.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})-[m:SPECIALIZATION_OF]->(f:AgentFamily)
OPTIONAL MATCH (w:Key {key_id: m.stated_key})
RETURN a.agent_id AS agent_id, f.family_id AS family, m.log_index AS stated_at, m.stated_key AS stated_key,
       w.not_trusted_since AS stated_not_trusted_since, m.founder AS founder,
       m.invited_by AS invited_by, m.invitation_hash AS invitation_hash, m.invitation_key AS invitation_key,
       m.confirmed_at AS confirmed_at, m.confirmed AS confirmed
