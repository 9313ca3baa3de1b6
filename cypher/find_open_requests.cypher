// The verification requests that wait between two places of the log, by hash, from one end.
// On any of the criteria, or on all; with an $agent only those that are for everybody or for it, with a $requester only
// those that it made.
MATCH (r:VerificationRequest)
WHERE r.open_until > $now AND r.log_index > $start AND r.log_index < $end
  AND (size($criteria) = 0 OR any(criterion IN r.criteria WHERE criterion IN $criteria))
  AND ($agent IS NULL OR r.eligible_verifiers IS NULL OR $agent IN r.eligible_verifiers)
  AND ($requester IS NULL OR r.agent_id = $requester)
RETURN r.signed_hash AS signed_hash, r.log_index AS log_index
ORDER BY r.log_index * $sign
LIMIT $limit
