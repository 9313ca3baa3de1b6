// Which of these hashes are of documents that the log has an entry of.
UNWIND $hashes AS hash
MATCH (e:LogEntry {document_hash: hash})
RETURN DISTINCT e.document_hash AS document_hash
