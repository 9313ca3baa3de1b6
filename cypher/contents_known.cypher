// What is known of content by its hash: its class, where it was registered, and whether it was erased.
UNWIND $hashes AS hash
MATCH (d:Document {document_key: hash})
RETURN d.document_key AS document_hash, d.boundary AS boundary, d.redacted AS redacted
