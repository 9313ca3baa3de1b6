// The requests to verify each of these statements between two places of the log, from one end, with who asked.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})
CALL (s) {
  MATCH (s)<-[:TARGETS]-(r:VerificationRequest)
  WHERE r.log_index > $start AND r.log_index < $end
  RETURN r
  ORDER BY r.log_index * $sign
  LIMIT $limit
}
RETURN s.signed_hash AS statement, r.signed_hash AS signed_hash, r.request_id AS request_id, r.criteria AS criteria,
       r.wanted_verdicts AS wanted_verdicts, r.eligible_verifiers AS eligible_verifiers,
       r.deadline.epochSeconds * 1000000 + r.deadline.microsecond AS deadline_micros,
       r.requested_at.epochSeconds * 1000000 + r.requested_at.microsecond AS requested_micros,
       r.received_at.epochSeconds * 1000000 + r.received_at.microsecond AS received_micros,
       r.log_index AS log_index, r.agent_id AS agent_id
ORDER BY log_index * $sign
