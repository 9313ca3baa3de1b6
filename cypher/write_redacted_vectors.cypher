// Takes away the vectors of erased passages.
UNWIND $rows AS row
MATCH (d:Document {document_key: row.document_hash})<-[:PART_OF]-(c:Chunk)
WHERE c.byte_start < row.end AND c.byte_end > row.start
MATCH (v:SearchVector {vector_key: c.chunk_key})
DETACH DELETE v
