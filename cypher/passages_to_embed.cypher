// The passages of these documents behind a key, with their classes.
UNWIND $hashes AS hash
MATCH (d:Document {document_key: hash})<-[:PART_OF]-(c:Chunk)
WHERE c.chunk_key > $after
RETURN c.chunk_key AS chunk_key, c.text AS text, c.redacted AS redacted,
       coalesce(d.boundary, 'public') AS boundary
ORDER BY chunk_key
LIMIT $first
