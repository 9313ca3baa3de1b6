// Who has ever been a confirmed version of these families, first to say so first, and since when their inviters' keys are not trusted.
UNWIND $families AS id
MATCH (f:AgentFamily {family_id: id})<-[m:SPECIALIZATION_OF]-(a:Agent)
WHERE m.founder OR m.confirmed OR m.confirmed_at IS NOT NULL
OPTIONAL MATCH (k:Key {key_id: m.invitation_key})
OPTIONAL MATCH (w:Key {key_id: m.stated_key})
RETURN a.agent_id AS agent_id, f.family_id AS family, m.log_index AS stated_at, m.stated_key AS stated_key,
       w.not_trusted_since AS stated_not_trusted_since, m.founder AS founder,
       m.invited_by AS invited_by, m.invitation_hash AS invitation_hash, m.invitation_key AS invitation_key,
       m.confirmed_at AS confirmed_at, m.confirmed AS confirmed,
       k.not_trusted_since AS not_trusted_since
ORDER BY stated_at
