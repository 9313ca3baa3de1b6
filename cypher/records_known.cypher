// The records of these bytes: of which label, of which class, and whether the bytes are here.
UNWIND $hashes AS hash
MATCH (d:Document {document_key: hash})<-[:RECORD_OF]-(n)
RETURN d.document_key AS record_hash, head(labels(n)) AS label, n.held AS held, n.log_index AS log_index,
       d.boundary AS boundary, d.redacted AS redacted
ORDER BY label
