// The first retractions in log order of these messages, before a log size.
UNWIND $names AS name
MATCH (r:Retraction {target_hash: name})
WHERE r.log_index < $as_of
RETURN name AS parent, r.signed_hash AS name, r.retraction_id AS id, r.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
