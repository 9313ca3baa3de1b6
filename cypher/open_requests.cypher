// A page of the verification requests that wait, after a place in the log, on any of the criteria, or on all.
// With an $agent only those that it may answer, and has neither answered nor declined.
MATCH (r:VerificationRequest)
WHERE r.open_until > $now AND r.log_index > $after
  AND (size($criteria) = 0 OR any(criterion IN r.criteria WHERE criterion IN $criteria))
  AND ($agent IS NULL OR r.eligible_verifiers IS NULL OR $agent IN r.eligible_verifiers)
MATCH (r)-[:TARGETS]->(s:Statement)<-[:GENERATED]-(author:Agent)
WHERE $agent IS NULL OR author.agent_id <> $agent AND NOT EXISTS {
  MATCH (r)<-[:DECLINES]-(d:VerificationDecline)
  WHERE d.agent_id = $agent
} AND NOT EXISTS {
  MATCH (s)<-[:VALIDATES]-(v:Verification)-[:PERFORMED_BY]->(a:Agent)
  WHERE a.agent_id = $agent AND v.binds AND v.key_trusted AND NOT v.retracted
    AND (v.request_hash = r.signed_hash OR v.request_hash IS NULL AND v.log_index > r.log_index
         AND (size(v.finding_criteria) = 0 OR any(criterion IN v.finding_criteria WHERE criterion IN r.criteria)))
}
RETURN r.signed_hash AS signed_hash, r.request_id AS request_id, r.criteria AS criteria,
       r.wanted_verdicts AS wanted_verdicts, r.eligible_verifiers AS eligible_verifiers,
       r.deadline.epochSeconds * 1000000 + r.deadline.microsecond AS deadline_micros,
       r.requested_at.epochSeconds * 1000000 + r.requested_at.microsecond AS requested_micros,
       r.received_at.epochSeconds * 1000000 + r.received_at.microsecond AS received_micros,
       r.log_index AS log_index, r.agent_id AS agent_id, r.open_until AS open_until, r.answered_by AS answered_by,
       s.signed_hash AS statement, s.statement_id AS statement_id, author.agent_id AS author
ORDER BY log_index
LIMIT $first
