// Who gave each verification of a stretch of the log, in order.
MATCH (v:Verification)
WHERE v.log_index >= $start AND v.log_index < $end
MATCH (v)-[r:PERFORMED_BY]->(a:Agent)
RETURN v.signed_hash AS start, a.agent_id AS end, properties(r) AS properties
ORDER BY v.log_index
