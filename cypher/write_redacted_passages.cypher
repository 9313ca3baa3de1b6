// Takes the quotes of erased passages, and their hashes, from the statements and chunks that cite them.
UNWIND $rows AS row
MATCH (d:Document {document_key: row.document_hash})<-[:PART_OF]-(c:Chunk)
WHERE c.byte_start < row.end AND c.byte_end > row.start
MATCH (c)<-[r:CITES]-(:Statement)
SET r.quote_text = null, r.content_hash = null
