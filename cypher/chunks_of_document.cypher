// The chunks of a document whose text is not filled in yet.
UNWIND [$document_hash] AS hash
MATCH (d:Document {document_key: hash})<-[:PART_OF]-(c:Chunk)
WHERE c.text = ''
RETURN c.chunk_key AS chunk_key, c.byte_start AS byte_start, c.byte_end AS byte_end
ORDER BY c.byte_start, c.byte_end
