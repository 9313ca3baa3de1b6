// Which statement each verification of a stretch of the log is about, in order.
UNWIND range($start, $end - 1) AS place
MATCH (v:Verification {log_index: place})
MATCH (v)-[r:VALIDATES]->(s:Statement)
RETURN v.signed_hash AS start, s.signed_hash AS end, properties(r) AS properties
ORDER BY v.log_index
