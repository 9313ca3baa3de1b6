// Takes the quotes of erased passages, and their hashes, from the citations by the name of the source alone.
UNWIND $rows AS row
MATCH (:Document {document_key: row.document_hash})-[:SOURCED_FROM]->(s:Source)
MATCH (d:Document {document_key: s.source_id})<-[:PART_OF]-(c:Chunk)
WHERE c.byte_start < row.end AND c.byte_end > row.start
MATCH (c)<-[r:CITES]-(:Statement)
SET r.quote_text = null, r.content_hash = null
