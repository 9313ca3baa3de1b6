// The documents that an agent registered as a source.
MATCH (d:Document)
WHERE d.registered = true
RETURN d.document_hash AS document_hash
ORDER BY d.document_hash
