// When was each of these statements made, and by whom?
UNWIND $statements AS hash
MATCH (s:Statement {signed_hash: hash})<-[:GENERATED]-(a:Agent)
RETURN s.generated_at AS generated_at, a.name AS agent, s.claim_text AS claim, s.signed_hash AS statement
ORDER BY generated_at, statement
LIMIT $first
