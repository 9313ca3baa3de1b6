// The documents whose bytes are here and may be kept until $now at most; those after a hash.
// Erasing takes what is cited by a name alone: a stranger's date does not count under a name that the operator answers for.
MATCH (d:Document)
WHERE d.retain_until <= datetime($now) AND d.held AND coalesce(d.erased, false) = false AND d.document_key > $after
  AND NOT EXISTS {
    MATCH (d)-[f:SOURCED_FROM]->(s:Source)
    WHERE s.answered_for AND NOT coalesce(f.answered_for, false)
  }
RETURN d.document_key AS document_hash, d.retain_until AS retain_until
ORDER BY document_hash
LIMIT $first
