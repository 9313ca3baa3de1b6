// The bytes that these records are, where the record was registered before a log size.
UNWIND $names AS name
MATCH (d:Document {document_key: name})<-[:RECORD_OF]-(n)
WHERE n.log_index < $as_of
RETURN DISTINCT name AS parent, d.document_key AS name, d.doc_id AS id, 0 AS log_index
LIMIT $first
