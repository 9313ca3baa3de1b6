// Takes the text and its hash from the chunks of erased passages.
UNWIND $rows AS row
MATCH (d:Document {document_key: row.document_hash})<-[:PART_OF]-(c:Chunk)
WHERE c.byte_start < row.end AND c.byte_end > row.start
SET c.text = '', c.content_hash = null, c.redacted = row.sentence
