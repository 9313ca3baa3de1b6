// The evidence of these statements: chunks, the documents that these are part of, and their sources.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})-[:CITES]->(c:Chunk)
OPTIONAL MATCH (c)-[:PART_OF]->(d:Document)
OPTIONAL MATCH (d)-[:SOURCED_FROM]->(o:Source)
RETURN DISTINCT c.chunk_key AS chunk, d.document_key AS document, o.source_id AS source
