// How many verification requests out of a peer's log wait.
MATCH (r:VerificationRequest)
WHERE r.open_until > $now AND r.origin = $origin
RETURN count(r) AS number
