// The latest statements, or those before the one at a place in the log, newest first, with their authors.
MATCH (h:LogHead {name: 'log'})
OPTIONAL MATCH (last:Statement {log_index: $after})
WITH CASE WHEN $after IS NULL THEN h.statements ELSE last.statement_index END AS top
UNWIND range(top - 1, top - $first, -1) AS number
MATCH (s:Statement {statement_index: number})<-[:GENERATED]-(a:Agent)
RETURN s {.signed_hash, .statement_id, .document_hash, .claim_text, .confidence, .generation_method,
          .content_hash, .content_hash_rule, .signature, .generated_at, .received_at, .log_index,
          .machine_check, .machine_reason, .verified, .consensus_score} AS statement,
       a {.agent_id, .name, .version, .publisher, .capabilities, .public_key, .key_id, .registered_at,
          .registration_hash, .reputation, .log_index} AS author
ORDER BY s.log_index DESC
