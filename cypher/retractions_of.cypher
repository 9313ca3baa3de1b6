// The retractions of these messages, in log order.
UNWIND $hashes AS hash
MATCH (r:Retraction {target_hash: hash})
RETURN r.target_hash AS target_hash, r.target_type AS target_type, r.signed_hash AS signed_hash,
       r.retraction_id AS retraction_id, r.agent_id AS agent_id, r.reason AS reason,
       r.retracted_at AS retracted_at, r.key_trusted AS key_trusted, r.log_index AS log_index
ORDER BY r.log_index
