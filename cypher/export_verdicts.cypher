// The verdict edges on the statements of a stretch of the log, those of verifications before $size.
MATCH (s:Statement)
WHERE s.log_index >= $start AND s.log_index < $end
MATCH (s)<-[:VALIDATES]-(v:Verification)
WHERE v.log_index < $size
WITH s, collect(v.verification_id) AS known
MATCH (s)<-[r:VERIFIED|CHALLENGED]-(a:Agent)
WHERE r.verification_id IN known
RETURN type(r) AS type, a.agent_id AS start, s.signed_hash AS end, properties(r) AS properties
ORDER BY s.log_index, type, r.timestamp, r.verification_id
