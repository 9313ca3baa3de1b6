// The verification requests of a stretch of the log, in order.
MATCH (e:LogEntry)
WHERE e.log_index >= $start AND e.log_index < $end AND e.type = 'VerificationRequest'
WITH e.signed_hash AS hash
MATCH (n:VerificationRequest {signed_hash: hash})
RETURN properties(n) AS properties
ORDER BY n.log_index
