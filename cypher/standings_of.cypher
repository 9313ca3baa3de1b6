// The result of the verdicts on these statements as far as disputes need it, and the subjects of the statements.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})
RETURN s.signed_hash AS signed_hash, s.statement_id AS statement_id, s.claim_text AS claim_text,
       s.consensus_score AS score, s.verified AS verified, s.carried AS carried,
       s.carried_by AS carried_by, s.opposed_by AS opposed_by
ORDER BY signed_hash
