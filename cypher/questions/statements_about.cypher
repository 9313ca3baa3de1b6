// What is said in these statements, by whom, and whether it is verified?
UNWIND $statements AS hash
MATCH (s:Statement {signed_hash: hash})<-[:GENERATED]-(a:Agent)
RETURN s.signed_hash AS statement, s.claim_text AS claim, a.name AS agent, s.verified AS verified,
       s.consensus_score AS consensus_score
ORDER BY verified DESC, consensus_score DESC, statement
LIMIT $first
