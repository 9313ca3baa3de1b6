// The first verdicts in log order on these statements that bind them, before a log size.
UNWIND $names AS name
MATCH (s:Statement {signed_hash: name})<-[:VALIDATES]-(v:Verification)
WHERE v.binds AND v.log_index < $as_of
RETURN name AS parent, v.signed_hash AS name, v.verification_id AS id, v.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
