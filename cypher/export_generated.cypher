// Who made the statements of a stretch of the log, in order.
UNWIND range($start, $end - 1) AS place
MATCH (s:Statement {log_index: place})
MATCH (s)<-[r:GENERATED]-(a:Agent)
RETURN a.agent_id AS start, s.signed_hash AS end, properties(r) AS properties
ORDER BY s.log_index
