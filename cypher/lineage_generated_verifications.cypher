// The first verdicts in log order that came out of these records and bind their statements, before a log size.
UNWIND $names AS name
MATCH (d:Document {document_key: name})<-[:GENERATED_BY]-(v:Verification)
WHERE v.binds AND v.log_index < $as_of
RETURN name AS parent, v.signed_hash AS name, v.verification_id AS id, v.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
