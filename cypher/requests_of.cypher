// The first requests to verify each of these statements in log order, with who asked.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})
CALL (s) {
  MATCH (s)<-[:TARGETS]-(r:VerificationRequest)
  RETURN r
  ORDER BY r.log_index
  LIMIT $first
}
MATCH (a:Agent)-[q:REQUESTED_VERIFICATION {request_id: r.request_id}]->(s)
RETURN s.signed_hash AS statement,
       r {.signed_hash, .request_id, .criteria, .requested_at, .received_at, .log_index, .document_hash} AS request,
       a.agent_id AS agent
ORDER BY r.log_index
