// The first requests in log order to verify these statements, before a log size.
UNWIND $names AS name
MATCH (s:Statement {signed_hash: name})<-[:TARGETS]-(r:VerificationRequest)
WHERE r.log_index < $as_of
RETURN name AS parent, r.signed_hash AS name, r.request_id AS id, r.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
