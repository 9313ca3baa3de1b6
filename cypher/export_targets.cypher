// Which statement each verification request of a stretch of the log is about, in order.
UNWIND range($start, $end - 1) AS place
MATCH (e:LogEntry {log_index: place})
WHERE e.type = 'VerificationRequest'
WITH e.signed_hash AS hash
MATCH (q:VerificationRequest {signed_hash: hash})-[r:TARGETS]->(s:Statement)
RETURN q.signed_hash AS start, s.signed_hash AS end, properties(r) AS properties
ORDER BY q.log_index
