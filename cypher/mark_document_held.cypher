// Notes that the bytes of a document are in the content store.
UNWIND [$document_hash] AS hash
MATCH (d:Document {document_key: hash})
SET d.held = true, d.byte_length = $byte_length
