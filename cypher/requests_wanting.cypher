// A page of the verification requests that want so many verdicts, by hash.
MATCH (r:VerificationRequest)
WHERE r.signed_hash > $after AND r.wanted_verdicts IS NOT NULL
RETURN r.signed_hash AS signed_hash
ORDER BY signed_hash
LIMIT $first
