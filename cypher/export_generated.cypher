// Who made the statements of a stretch of the log, in order.
MATCH (s:Statement)
WHERE s.log_index >= $start AND s.log_index < $end
MATCH (s)<-[r:GENERATED]-(a:Agent)
RETURN a.agent_id AS start, s.signed_hash AS end, properties(r) AS properties
ORDER BY s.log_index
