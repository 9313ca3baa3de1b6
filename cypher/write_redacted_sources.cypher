// Notes which documents are erased, as a whole or in part; their bytes are not held any more.
UNWIND $rows AS row
MATCH (d:Document {document_key: row.document_hash})
SET d.held = false, d.byte_length = null, d.redacted = row.sentence,
    d.erased = coalesce(d.erased, false) OR row.erased
