// A page of the verification requests that want so many verdicts and are not past their deadline, by hash.
MATCH (r:VerificationRequest)
WHERE r.signed_hash > $after AND r.wanted_verdicts IS NOT NULL
  AND (r.deadline IS NULL OR r.deadline > datetime($now))
RETURN r.signed_hash AS signed_hash
ORDER BY signed_hash
LIMIT $first
