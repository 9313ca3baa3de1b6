// The latest statements before a place in the log, newest first, with their authors; looks at $places places.
MATCH (h:LogHead {name: 'log'})
WITH CASE WHEN $before < h.size THEN $before ELSE h.size END AS top
UNWIND range(top - 1, CASE WHEN top > $places THEN top - $places ELSE 0 END, -1) AS place
MATCH (s:Statement {log_index: place})<-[:GENERATED]-(a:Agent)
RETURN s {.signed_hash, .statement_id, .document_hash, .claim_text, .confidence, .generation_method,
          .content_hash, .content_hash_rule, .signature, .generated_at, .received_at, .log_index,
          .machine_check, .machine_reason, .verified, .consensus_score} AS statement,
       a {.agent_id, .name, .version, .publisher, .capabilities, .public_key, .key_id, .registered_at,
          .registration_hash, .reputation, .log_index} AS author
ORDER BY s.log_index DESC
LIMIT $first
