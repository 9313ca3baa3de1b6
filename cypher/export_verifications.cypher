// The verifications of a stretch of the log, in order, and the statement that each is about.
UNWIND range($start, $end - 1) AS place
MATCH (n:Verification {log_index: place})
MATCH (n)-[:VALIDATES]->(s:Statement)
RETURN properties(n) AS properties, s.signed_hash AS statement
ORDER BY n.log_index
