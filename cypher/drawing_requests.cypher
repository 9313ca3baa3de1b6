// The log entry of the first request on each of these statements that draws operators.
// Anybody may answer it, it has no deadline, names all $criteria, and wants verdicts of $operators or more, or any number.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})
CALL (s) {
  MATCH (s)<-[:TARGETS]-(r:VerificationRequest)
  WHERE r.log_index <= $up_to AND r.eligible_verifiers IS NULL AND r.deadline IS NULL
    AND all(criterion IN $criteria WHERE criterion IN r.criteria)
    AND (r.wanted_verdicts IS NULL OR r.wanted_verdicts >= $operators)
  RETURN r
  ORDER BY r.log_index
  LIMIT 1
}
MATCH (e:LogEntry {signed_hash: r.signed_hash})
RETURN s.signed_hash AS statement, e.log_index AS log_index, e.v AS v, e.origin AS origin, e.type AS type, e.id AS id,
       e.document_hash AS document_hash, e.signed_hash AS signed_hash, e.agent AS agent, e.key AS key,
       e.received_at AS received_at, e.origin_index AS origin_index,
       e.origin_received_at AS origin_received_at
