// Content and packs by hash: class, erasure, places in the log, and whether the operator answers.
UNWIND $hashes AS hash
MATCH (d:Document {document_key: hash})
RETURN d.document_key AS document_hash, d.boundary AS boundary, d.redacted AS redacted,
       [(d)<-[r:REGISTERED]-(:Agent) | r.log_index] AS registered,
       [(d)<-[r:REGISTERED]-(:Agent) WHERE r.format IS NOT NULL | r.log_index] AS registered_as_record,
       EXISTS { MATCH (d)-[f:SOURCED_FROM]->(:Source) WHERE f.answered_for } AS answered_for
