// The disputes of each of these gold labels between two places of the log, from one end.
UNWIND $hashes AS hash
MATCH (g:GoldLabel {signed_hash: hash})
CALL (g) {
  MATCH (d:GoldDispute {label_hash: g.signed_hash})
  WHERE d.log_index > $start AND d.log_index < $end
  RETURN d
  ORDER BY d.log_index * $sign
  LIMIT $limit
}
RETURN d.target_hash AS statement, hash AS label_hash, d.signed_hash AS signed_hash,
       d.dispute_id AS dispute_id, d.agent_id AS agent_id, d.reason AS reason, d.evidence AS evidence,
       d.disputed_at AS disputed_at, d.key_trusted AS key_trusted, d.log_index AS log_index,
       d.suspends AS suspends, d.withdrawn AS withdrawn
ORDER BY log_index * $sign
