// The first requests on each of these statements that still wait for verdicts, in log order.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})
CALL (s) {
  MATCH (s)<-[:TARGETS]-(r:VerificationRequest)
  WHERE r.open_until > $now
  RETURN r
  ORDER BY r.log_index
  LIMIT $first
}
RETURN s.signed_hash AS statement, r.signed_hash AS signed_hash, r.request_id AS request_id,
       r.wanted_verdicts AS wanted_verdicts, r.answered_by AS answered_by, r.agent_id AS agent_id,
       r.received_at.epochSeconds * 1000000 + r.received_at.microsecond AS received_micros, r.log_index AS log_index
ORDER BY log_index
