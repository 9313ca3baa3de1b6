// Which of these statements does an agent make?
UNWIND $statements AS hash
MATCH (s:Statement {signed_hash: hash})<-[:GENERATED]-(a:Agent {agent_id: $agent})
RETURN s.signed_hash AS statement, s.claim_text AS claim, s.generated_at AS generated_at, s.verified AS verified,
       s.consensus_score AS consensus_score
ORDER BY s.log_index DESC
LIMIT $first
