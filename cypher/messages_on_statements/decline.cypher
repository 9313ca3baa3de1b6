// The declines of requests for these statements.
UNWIND $hashes AS hash
MATCH (:Statement {signed_hash: hash})<-[:TARGETS]-(:VerificationRequest)<-[:DECLINES]-(n:VerificationDecline)
WHERE n.log_index < $end
RETURN n.signed_hash AS signed_hash, n.log_index AS log_index
