// A page of the verification requests that wait, after a place in the log: deadline not past, statement standing.
// They name one of the criteria; any will do where none are given.
MATCH (r:VerificationRequest)
WHERE r.log_index > $after AND (r.deadline IS NULL OR r.deadline > datetime($now))
  AND (size($criteria) = 0 OR any(criterion IN r.criteria WHERE criterion IN $criteria))
MATCH (r)-[:TARGETS]->(s:Statement)<-[:GENERATED]-(author:Agent)
WHERE NOT coalesce(s.retracted, false) AND s.superseded_by IS NULL
MATCH (s)<-[:REQUESTED_VERIFICATION {request_id: r.request_id}]-(a:Agent)
RETURN r.signed_hash AS signed_hash, r.request_id AS request_id, r.criteria AS criteria,
       r.wanted_verdicts AS wanted_verdicts, r.eligible_verifiers AS eligible_verifiers,
       r.deadline.epochSeconds * 1000000 + r.deadline.microsecond AS deadline_micros,
       r.requested_at.epochSeconds * 1000000 + r.requested_at.microsecond AS requested_micros,
       r.received_at.epochSeconds * 1000000 + r.received_at.microsecond AS received_micros,
       r.log_index AS log_index, a.agent_id AS agent_id,
       s.signed_hash AS statement, s.statement_id AS statement_id, author.agent_id AS author
ORDER BY log_index
LIMIT $first
