// The labels of the records that these documents are; documents that are no record are left out.
UNWIND $keys AS key
MATCH (d:Document {document_key: key})<-[:RECORD_OF]-(n)
RETURN d.document_key AS document, labels(n) AS labels
ORDER BY document, n.log_index
