// The redactions with these hashes of signed bytes.
UNWIND $hashes AS hash
MATCH (r:Redaction {signed_hash: hash})
RETURN r.redaction_id AS redaction_id, r.document_hash AS document_hash
ORDER BY r.log_index
