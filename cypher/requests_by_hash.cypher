// These verification requests with their statements, who asked, whose statement it is, and whether it stands.
UNWIND $hashes AS hash
MATCH (r:VerificationRequest {signed_hash: hash})-[:TARGETS]->(s:Statement)<-[:GENERATED]-(author:Agent)
RETURN r.signed_hash AS signed_hash, r.request_id AS request_id, r.criteria AS criteria,
       r.wanted_verdicts AS wanted_verdicts, r.eligible_verifiers AS eligible_verifiers,
       r.deadline.epochSeconds * 1000000 + r.deadline.microsecond AS deadline_micros,
       r.requested_at.epochSeconds * 1000000 + r.requested_at.microsecond AS requested_micros,
       r.received_at.epochSeconds * 1000000 + r.received_at.microsecond AS received_micros,
       r.log_index AS log_index, r.agent_id AS agent_id, r.open_until AS open_until, r.answered_by AS answered_by,
       NOT coalesce(s.retracted, false) AND s.superseded_by IS NULL AS stands,
       s.signed_hash AS statement, s.statement_id AS statement_id, author.agent_id AS author
ORDER BY log_index
