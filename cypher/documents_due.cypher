// The documents whose bytes are here and may be kept until $now at most; those after a hash.
MATCH (d:Document)
WHERE d.retain_until <= datetime($now) AND d.held AND coalesce(d.erased, false) = false AND d.document_key > $after
RETURN d.document_key AS document_hash, d.retain_until AS retain_until
ORDER BY document_hash
LIMIT $first
