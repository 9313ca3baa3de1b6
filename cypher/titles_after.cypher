// The documents with a title, from behind a key on.
MATCH (d:Document)
WHERE d.document_key > $after AND d.title <> ''
RETURN d.document_key AS document_hash
ORDER BY document_hash
LIMIT $first
