// The gold labels of these statements, and the disputes of these labels.
UNWIND $hashes AS hash
MATCH (n:GoldLabel {target_hash: hash})
WHERE n.log_index < $end
RETURN n.signed_hash AS signed_hash, n.log_index AS log_index
UNION
UNWIND $hashes AS hash
MATCH (n:GoldDispute {target_hash: hash})
WHERE n.log_index < $end
RETURN n.signed_hash AS signed_hash, n.log_index AS log_index
