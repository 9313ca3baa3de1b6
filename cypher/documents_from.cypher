// The registered documents by key, page by page: whether the graph has them as held.
MATCH (d:Document)
WHERE d.document_key > $after AND d.registration_hash IS NOT NULL
RETURN d.document_key AS document_hash, d.held AS held
ORDER BY document_hash
LIMIT $first
