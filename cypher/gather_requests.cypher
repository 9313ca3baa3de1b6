// The verification requests about these statements before $size, and who asked.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:TARGETS]-(q:VerificationRequest)
WHERE q.log_index < $size
RETURN q.signed_hash AS signed_hash, q.log_index AS log_index, q.agent_id AS agent_id
ORDER BY log_index
