// A page of the documents, by key.
MATCH (n:Document)
WHERE n.document_key > $after
RETURN n.document_key AS key, properties(n) AS properties
ORDER BY n.document_key
LIMIT $first
