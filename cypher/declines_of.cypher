// The declines of each of these requests between two places of the log, from one end.
UNWIND $hashes AS hash
MATCH (r:VerificationRequest {signed_hash: hash})
CALL (r) {
  MATCH (d:VerificationDecline {request_hash: r.signed_hash})
  WHERE d.log_index > $start AND d.log_index < $end
  RETURN d
  ORDER BY d.log_index * $sign
  LIMIT $limit
}
RETURN hash AS request, d.signed_hash AS signed_hash, d.decline_id AS decline_id, d.agent_id AS agent_id,
       d.reason AS reason, d.target_hash AS statement, d.log_index AS log_index,
       d.declined_at.epochSeconds * 1000000 + d.declined_at.microsecond AS declined_micros
ORDER BY log_index * $sign
