// A page of the statements that a key signed from a place in the log on, in order.
MATCH (s:Statement {key_id: $key_id})
WHERE s.log_index >= $since
RETURN s.key_id AS key_id, s.signed_hash AS signed_hash, s.log_index AS log_index
ORDER BY s.log_index
LIMIT $first
