// Which statement each of these declines and answers to challenges is about.
UNWIND $hashes AS hash
OPTIONAL MATCH (d:VerificationDecline {signed_hash: hash})
OPTIONAL MATCH (n:ChallengeAnswer {signed_hash: hash})
RETURN hash AS reply, coalesce(d.target_hash, n.statement_hash) AS statement
