// The bytes of the records that these statements came out of, with the place of the statement.
UNWIND $names AS name
MATCH (s:Statement {signed_hash: name})-[:GENERATED_BY]->(d:Document)
WHERE s.log_index < $as_of
RETURN name AS parent, d.document_key AS name, d.doc_id AS id, s.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
