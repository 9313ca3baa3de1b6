// The verdicts, declines, answers, gold labels and disputes about these statements before this place of the log.
UNWIND $hashes AS hash
MATCH (:Statement {signed_hash: hash})<-[:VALIDATES]-(n:Verification)
WHERE n.log_index < $end
RETURN n.signed_hash AS signed_hash, n.log_index AS log_index
UNION
UNWIND $hashes AS hash
MATCH (:Statement {signed_hash: hash})<-[:TARGETS]-(:VerificationRequest)<-[:DECLINES]-(n:VerificationDecline)
WHERE n.log_index < $end
RETURN n.signed_hash AS signed_hash, n.log_index AS log_index
UNION
UNWIND $hashes AS hash
MATCH (:Statement {signed_hash: hash})<-[:VALIDATES]-(v:Verification)
MATCH (n:ChallengeAnswer {target_hash: v.signed_hash})
WHERE n.log_index < $end
RETURN n.signed_hash AS signed_hash, n.log_index AS log_index
UNION
UNWIND $hashes AS hash
MATCH (n:GoldLabel {target_hash: hash})
WHERE n.log_index < $end
RETURN n.signed_hash AS signed_hash, n.log_index AS log_index
UNION
UNWIND $hashes AS hash
MATCH (n:GoldDispute {target_hash: hash})
WHERE n.log_index < $end
RETURN n.signed_hash AS signed_hash, n.log_index AS log_index
