// What was stated last?
MATCH (s:Statement)<-[:GENERATED]-(a:Agent)
RETURN s.signed_hash AS statement, s.claim_text AS claim, a.name AS agent, s.generated_at AS generated_at,
       s.verified AS verified
ORDER BY s.log_index DESC
LIMIT $first
