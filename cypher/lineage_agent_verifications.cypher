// The first verdicts in log order of these agents that bind their statements, before a log size.
UNWIND $names AS name
MATCH (a:Agent {agent_id: name})<-[:PERFORMED_BY]-(v:Verification)
WHERE v.binds AND v.log_index < $as_of
RETURN name AS parent, v.signed_hash AS name, v.verification_id AS id, v.log_index AS log_index
ORDER BY log_index
LIMIT $first
