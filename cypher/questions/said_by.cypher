// What does an agent state, newest first?
MATCH (a:Agent {agent_id: $agent})-[:GENERATED]->(s:Statement)
RETURN s.signed_hash AS statement, s.claim_text AS claim, s.generated_at AS generated_at, s.verified AS verified,
       s.consensus_score AS consensus_score
ORDER BY s.log_index DESC
LIMIT $first
