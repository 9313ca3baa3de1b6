// Which of these statements contradict another, or are contradicted?
UNWIND $statements AS hash
MATCH (s:Statement {signed_hash: hash})-[:CONTRADICTS]-(o:Statement)
RETURN DISTINCT s.signed_hash AS statement, s.claim_text AS claim, o.signed_hash AS contradicts,
       o.claim_text AS other_claim
ORDER BY statement, contradicts
LIMIT $first
