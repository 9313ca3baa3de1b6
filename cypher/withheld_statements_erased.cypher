// Statements that cite a passage that was erased, up to a number.
MATCH (c:Chunk)<-[:CITES]-(s:Statement)
WHERE c.redacted IS NOT NULL
RETURN DISTINCT s.signed_hash AS key
LIMIT $first
