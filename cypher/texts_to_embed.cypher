// The claims of these statements, and the passages that they cite, with their classes.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})
OPTIONAL MATCH (s)-[:CITES]->(c:Chunk)-[:PART_OF]->(d:Document)
RETURN s.signed_hash AS signed_hash, s.claim_text AS claim_text, c.chunk_key AS chunk_key, c.text AS text,
       c.redacted AS redacted, coalesce(d.boundary, 'public') AS boundary
ORDER BY signed_hash, chunk_key
