// Which statements have their authors taken back?
MATCH (s:Statement)<-[:GENERATED]-(a:Agent)
WHERE s.retracted
RETURN s.signed_hash AS statement, s.claim_text AS claim, a.name AS agent, s.retracted_at AS retracted_at
ORDER BY s.log_index DESC
LIMIT $first
