// Who disputes these gold labels and has not taken it back, in log order.
UNWIND $hashes AS hash
MATCH (d:GoldDispute {label_hash: hash})
WHERE NOT coalesce(d.withdrawn, false)
RETURN d.label_hash AS label_hash, d.signed_hash AS signed_hash, d.dispute_id AS dispute_id,
       d.agent_id AS agent_id, d.log_index AS log_index
ORDER BY log_index
