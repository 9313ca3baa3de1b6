// Which of these statements are not verified, and what did this node's comparison with the source say?
UNWIND $statements AS hash
MATCH (s:Statement {signed_hash: hash})<-[:GENERATED]-(a:Agent)
WHERE NOT s.verified
RETURN s.signed_hash AS statement, s.claim_text AS claim, a.name AS agent, s.consensus_score AS consensus_score,
       s.machine_check AS machine_check
ORDER BY consensus_score DESC, statement
LIMIT $first
