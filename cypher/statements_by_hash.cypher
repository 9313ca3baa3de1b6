// The statements with these hashes of signed bytes, with their authors.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:GENERATED]-(a:Agent)
RETURN s {.signed_hash, .statement_id, .document_hash, .claim_text, .confidence, .generation_method,
          .content_hash, .content_hash_rule, .signature, .generated_at, .received_at, .log_index,
          .machine_check, .machine_reason, .verified, .consensus_score} AS statement,
       a {.agent_id, .name, .version, .publisher, .capabilities, .public_key, .key_id, .registered_at,
          .registration_hash, .reputation, .log_index} AS author
