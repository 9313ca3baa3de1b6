// The documents that may be kept no longer than until $now, and are not erased as a whole yet; those after a hash.
MATCH (d:Document)
WHERE d.retain_until <= datetime($now) AND coalesce(d.erased, false) = false AND d.document_key > $after
RETURN d.document_key AS document_hash, d.retain_until AS retain_until
ORDER BY document_hash
LIMIT $first
