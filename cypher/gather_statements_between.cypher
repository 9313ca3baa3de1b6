// The statements of a stretch of the log, in order, when they came in, whether they are verified, and who made them.
UNWIND range($start, $end - 1) AS place
MATCH (s:Statement {log_index: place})
MATCH (s)<-[:GENERATED]-(a:Agent)
RETURN s.signed_hash AS signed_hash, s.log_index AS log_index, s.received_at AS received_at, s.verified AS verified,
       a.agent_id AS agent_id
ORDER BY log_index
