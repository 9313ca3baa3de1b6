// The first verdicts on each of these statements in log order, with the agents that gave them.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})
CALL (s) {
  MATCH (s)<-[:VALIDATES]-(v:Verification)-[:PERFORMED_BY]->(a:Agent)
  RETURN v, a
  ORDER BY v.log_index
  LIMIT $first
}
RETURN s.signed_hash AS statement,
       v {.signed_hash, .verification_id, .document_hash, .verdict, .confidence, .verified_at, .received_at,
          .log_index, .signature, .reason, .target_hash, .binds, .machine, .label, .finding_criteria,
          .finding_statuses, .finding_confidences, .finding_evidence} AS verification,
       a {.agent_id, .name, .version, .publisher, .capabilities, .public_key, .key_id, .registered_at,
          .registration_hash, .reputation, .log_index} AS agent
ORDER BY v.log_index
