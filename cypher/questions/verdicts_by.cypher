// Which statements has an agent judged, and how?
MATCH (a:Agent {agent_id: $agent})<-[:PERFORMED_BY]-(v:Verification)-[:VALIDATES]->(s:Statement)
RETURN v.verdict AS verdict, v.confidence AS confidence, v.verified_at AS verified_at, s.claim_text AS claim,
       s.signed_hash AS statement
ORDER BY v.log_index DESC
LIMIT $first
