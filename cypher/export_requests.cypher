// The verification requests of a stretch of the log, in order.
UNWIND range($start, $end - 1) AS place
MATCH (e:LogEntry {log_index: place})
WHERE e.type = 'VerificationRequest'
WITH e.signed_hash AS hash
MATCH (n:VerificationRequest {signed_hash: hash})
RETURN properties(n) AS properties
ORDER BY n.log_index
