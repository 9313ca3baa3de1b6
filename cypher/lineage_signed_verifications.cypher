// The first verdicts in log order that these keys signed and that bind their statements, before a log size.
UNWIND $names AS name
MATCH (k:Key {key_id: name})<-[:HAS_KEY]-(:Agent)<-[:PERFORMED_BY]-(v:Verification)
WHERE v.key_id = name AND v.binds AND v.log_index < $as_of
RETURN name AS parent, v.signed_hash AS name, v.verification_id AS id, v.log_index AS log_index
ORDER BY log_index
LIMIT $first
