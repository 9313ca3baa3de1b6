// Which of these statements are verified, and how do they score?
UNWIND $statements AS hash
MATCH (s:Statement {signed_hash: hash})<-[:GENERATED]-(a:Agent)
WHERE s.verified
RETURN s.signed_hash AS statement, s.claim_text AS claim, a.name AS agent, s.consensus_score AS consensus_score
ORDER BY consensus_score DESC, statement
LIMIT $first
