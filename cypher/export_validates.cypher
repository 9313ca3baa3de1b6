// Which statement each verification of a stretch of the log is about, in order.
MATCH (v:Verification)
WHERE v.log_index >= $start AND v.log_index < $end
MATCH (v)-[r:VALIDATES]->(s:Statement)
RETURN v.signed_hash AS start, s.signed_hash AS end, properties(r) AS properties
ORDER BY v.log_index
