// The latest verdicts of each of these agents before a place in the log, newest first, with their statements.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})
CALL (a) {
  MATCH (a)<-[:PERFORMED_BY]-(v:Verification)-[:VALIDATES]->(s:Statement)
  WHERE v.log_index < $before
  RETURN v, s
  ORDER BY v.log_index DESC
  LIMIT $first
}
RETURN a.agent_id AS parent, s.signed_hash AS statement,
       v {.signed_hash, .verification_id, .document_hash, .verdict, .confidence, .verified_at, .received_at,
          .log_index, .signature, .reason, .target_hash, .binds, .machine, .label, .finding_criteria,
          .finding_statuses, .finding_confidences, .finding_evidence} AS verification,
       a {.agent_id, .name, .version, .publisher, .capabilities, .public_key, .key_id, .registered_at,
          .registration_hash, .reputation, .log_index} AS agent
ORDER BY v.log_index DESC
