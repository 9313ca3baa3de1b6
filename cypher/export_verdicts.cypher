// The verdict edges of one type on the statements of a stretch of the log, of verifications from $since to before $size.
UNWIND range($start, $end - 1) AS place
MATCH (s:Statement {log_index: place})
MATCH (s)<-[:VALIDATES]-(v:Verification)
WHERE v.log_index >= $since AND v.log_index < $size
WITH s, collect(v.verification_id) AS known
MATCH (s)<-[r:VERIFIED|CHALLENGED]-(a:Agent)
WHERE type(r) = $type AND r.verification_id IN known
RETURN a.agent_id AS start, s.signed_hash AS end, properties(r) AS properties
ORDER BY s.log_index, r.timestamp, r.verification_id
