// Which of these verification requests an agent has answered, with a verdict that stands, or declined.
UNWIND $hashes AS hash
MATCH (r:VerificationRequest {signed_hash: hash})-[:TARGETS]->(s:Statement)
WHERE EXISTS {
  MATCH (r)<-[:DECLINES]-(d:VerificationDecline)
  WHERE d.agent_id = $agent
} OR EXISTS {
  MATCH (s)<-[:VALIDATES]-(v:Verification)-[:PERFORMED_BY]->(a:Agent)
  WHERE a.agent_id = $agent AND v.binds AND v.key_trusted AND NOT v.retracted
    AND (v.request_hash = r.signed_hash OR v.request_hash IS NULL AND v.log_index > r.log_index
         AND (size(v.finding_criteria) = 0 OR any(criterion IN v.finding_criteria WHERE criterion IN r.criteria)))
}
RETURN hash AS request
