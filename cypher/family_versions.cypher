// The versions of a family by their own word between two places of the log, from one end.
UNWIND [$family] AS id
MATCH (f:AgentFamily {family_id: id})<-[m:SPECIALIZATION_OF]-(a:Agent)
WHERE m.log_index > $start AND m.log_index < $end
RETURN a.agent_id AS agent_id, f.family_id AS family, m.log_index AS stated_at, m.founder AS founder,
       m.invited_by AS invited_by, m.invitation_hash AS invitation_hash, m.invitation_key AS invitation_key,
       m.confirmed_at AS confirmed_at, m.confirmed AS confirmed
ORDER BY stated_at * $sign
LIMIT $limit
