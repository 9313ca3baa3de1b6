// The chunks of a document without text that were cited before a place in the log, by their bytes.
UNWIND [$document_hash] AS hash
MATCH (d:Document {document_key: hash})<-[:PART_OF]-(c:Chunk)<-[:CITES]-(s:Statement)
WHERE c.text = '' AND c.redacted IS NULL AND s.log_index < $before
RETURN DISTINCT c.chunk_key AS chunk_key, c.byte_start AS byte_start, c.byte_end AS byte_end
ORDER BY byte_start, byte_end
