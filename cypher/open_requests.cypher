// A page of the verification requests that wait, after a place in the log, on any of the criteria, or on all, by hash.
// With an $agent only those that are for everybody or for it. Their targets are read of the page alone.
MATCH (r:VerificationRequest)
WHERE r.open_until > $now AND r.log_index > $after
  AND (size($criteria) = 0 OR any(criterion IN r.criteria WHERE criterion IN $criteria))
  AND ($agent IS NULL OR r.eligible_verifiers IS NULL OR $agent IN r.eligible_verifiers)
RETURN r.signed_hash AS signed_hash, r.log_index AS log_index
ORDER BY log_index
LIMIT $first
