// The answers to challenges of these statements.
UNWIND $hashes AS hash
MATCH (:Statement {signed_hash: hash})<-[:VALIDATES]-(v:Verification)
MATCH (n:ChallengeAnswer {target_hash: v.signed_hash})
WHERE n.log_index < $end
RETURN n.signed_hash AS signed_hash, n.log_index AS log_index
