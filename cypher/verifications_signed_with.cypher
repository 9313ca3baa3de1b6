// A page of the verdicts that a key signed from a place in the log on, in order, with their statements.
MATCH (v:Verification {key_id: $key_id})
WHERE v.log_index >= $since
WITH v
ORDER BY v.log_index
LIMIT $first
MATCH (v)-[:VALIDATES]->(s:Statement)
RETURN v.key_id AS key_id, v.signed_hash AS signed_hash, v.log_index AS log_index, s.signed_hash AS statement
ORDER BY v.log_index
