// Who asked for verification of the statements of a stretch of the log, in requests from $since to before $size.
UNWIND range($start, $end - 1) AS place
MATCH (s:Statement {log_index: place})
MATCH (s)<-[:TARGETS]-(q:VerificationRequest)
WHERE q.log_index >= $since AND q.log_index < $size
WITH s, collect(q.request_id) AS known
MATCH (s)<-[r:REQUESTED_VERIFICATION]-(a:Agent)
WHERE r.request_id IN known
RETURN a.agent_id AS start, s.signed_hash AS end, properties(r) AS properties
ORDER BY s.log_index, r.timestamp, r.request_id
