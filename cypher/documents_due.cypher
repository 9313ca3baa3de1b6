// The documents whose bytes are here and may be kept until $now at most; those after a hash.
// The bytes of messages, and what a redaction left, are not erased by date. The date of a stranger erases nothing; a
// graph that was written before this rule may still have one.
MATCH (d:Document)
WHERE d.retain_until <= datetime($now) AND d.held AND coalesce(d.erased, false) = false AND d.document_key > $after
  AND EXISTS { MATCH (d)-[f:SOURCED_FROM]->() WHERE f.answered_for }
  AND NOT EXISTS { MATCH (:LogEntry {document_hash: d.document_key}) }
  AND NOT EXISTS { MATCH (:Redaction {redacted_document_hash: d.document_key}) }
RETURN d.document_key AS document_hash, d.retain_until AS retain_until
ORDER BY document_hash
LIMIT $first
