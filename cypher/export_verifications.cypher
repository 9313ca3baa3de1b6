// The verifications of a stretch of the log, in order, and the statement that each is about.
MATCH (n:Verification)
WHERE n.log_index >= $start AND n.log_index < $end
MATCH (n)-[:VALIDATES]->(s:Statement)
RETURN properties(n) AS properties, s.signed_hash AS statement
ORDER BY n.log_index
