// Notes that the bytes of a document are not in the content store any more.
UNWIND [$document_hash] AS hash
MATCH (d:Document {document_key: hash})
SET d.held = false
