// Who gave each verification of a stretch of the log, in order.
UNWIND range($start, $end - 1) AS place
MATCH (v:Verification {log_index: place})
MATCH (v)-[r:PERFORMED_BY]->(a:Agent)
RETURN v.signed_hash AS start, a.agent_id AS end, properties(r) AS properties
ORDER BY v.log_index
