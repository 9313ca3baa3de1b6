// Who has judged these statements, and how?
UNWIND $statements AS hash
MATCH (s:Statement {signed_hash: hash})<-[:VALIDATES]-(v:Verification)-[:PERFORMED_BY]->(a:Agent)
RETURN a.name AS agent, v.verdict AS verdict, v.confidence AS confidence, v.verified_at AS verified_at,
       s.claim_text AS claim, s.signed_hash AS statement
ORDER BY statement, v.log_index
LIMIT $first
