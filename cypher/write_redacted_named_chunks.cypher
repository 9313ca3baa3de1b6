// Takes the text and its hash from the chunks of erased passages that are cited by the name of the source alone.
UNWIND $rows AS row
MATCH (:Document {document_key: row.document_hash})-[:SOURCED_FROM]->(s:Source)
MATCH (d:Document {document_key: s.source_id})<-[:PART_OF]-(c:Chunk)
WHERE c.byte_start < row.end AND c.byte_end > row.start
SET c.text = '', c.content_hash = null, c.redacted = row.sentence
