// The first statements in log order that came out of these records, before a log size.
UNWIND $names AS name
MATCH (d:Document {document_key: name})<-[:GENERATED_BY]-(s:Statement)
WHERE s.log_index < $as_of
RETURN name AS parent, s.signed_hash AS name, s.statement_id AS id, s.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
