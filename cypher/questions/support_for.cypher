// Which statements say that they support one of these?
UNWIND $statements AS hash
MATCH (s:Statement {signed_hash: hash})<-[:SUPPORTS]-(o:Statement)
RETURN s.signed_hash AS statement, s.claim_text AS claim, o.signed_hash AS supported_by, o.claim_text AS other_claim
ORDER BY statement, supported_by
LIMIT $first
