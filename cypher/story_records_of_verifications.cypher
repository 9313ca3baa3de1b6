// The bytes of the records that these verdicts came out of, with the place of the verdict.
UNWIND $names AS name
MATCH (v:Verification {signed_hash: name})-[:GENERATED_BY]->(d:Document)
WHERE v.log_index < $as_of
RETURN name AS parent, d.document_key AS name, d.doc_id AS id, v.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
