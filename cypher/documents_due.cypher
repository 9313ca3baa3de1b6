// The documents whose bytes are here and may be kept until $now at most; those after a hash.
// The bytes of messages, and what a redaction left, are not erased by date. A stranger's date does not count for the
// content of packs, nor under a name of an agent that the operator answers for: what cites the name alone goes with it.
MATCH (d:Document)
WHERE d.retain_until <= datetime($now) AND d.held AND coalesce(d.erased, false) = false AND d.document_key > $after
  AND NOT EXISTS { MATCH (:LogEntry {document_hash: d.document_key}) }
  AND NOT EXISTS { MATCH (:Redaction {redacted_document_hash: d.document_key}) }
  AND (EXISTS { MATCH (d)-[f:SOURCED_FROM]->() WHERE f.answered_for } OR NOT (
    EXISTS { MATCH (d)-[:SOURCED_FROM]->(s:Source) WHERE s.answered_for }
    OR EXISTS { MATCH (d)<-[:USED|GENERATED]-(x) WHERE x.record_hash IS NOT NULL }
  ))
RETURN d.document_key AS document_hash, d.retain_until AS retain_until
ORDER BY document_hash
LIMIT $first
