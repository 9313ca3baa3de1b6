// The disputes of the gold labels of these statements, in log order, page by page.
UNWIND $hashes AS hash
MATCH (d:GoldDispute {target_hash: hash})
WHERE d.log_index > $after
RETURN d.target_hash AS statement, d.label_hash AS label_hash, d.signed_hash AS signed_hash,
       d.dispute_id AS dispute_id, d.agent_id AS agent_id, d.reason AS reason, d.evidence AS evidence,
       d.disputed_at AS disputed_at, d.key_trusted AS key_trusted, d.log_index AS log_index,
       d.suspends AS suspends, d.withdrawn AS withdrawn
ORDER BY log_index
LIMIT $first
