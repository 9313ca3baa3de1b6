// The verdicts with these hashes of signed bytes, with their statements and agents.
UNWIND $hashes AS hash
MATCH (v:Verification {signed_hash: hash})-[:VALIDATES]->(s:Statement)
MATCH (v)-[:PERFORMED_BY]->(a:Agent)
RETURN s.signed_hash AS statement,
       v {.signed_hash, .verification_id, .document_hash, .verdict, .confidence, .verified_at, .received_at,
          .log_index, .signature, .reason, .target_hash, .binds, .machine, .label, .finding_criteria,
          .finding_statuses, .finding_confidences, .finding_evidence} AS verification,
       a {.agent_id, .name, .version, .publisher, .capabilities, .public_key, .key_id, .registered_at,
          .registration_hash, .reputation, .log_index} AS agent
