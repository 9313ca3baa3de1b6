// Which statements wait for verdicts that somebody asked for?
MATCH (q:VerificationRequest)-[:TARGETS]->(s:Statement)
WHERE q.open_until IS NOT NULL
RETURN s.signed_hash AS statement, s.claim_text AS claim, q.requested_at AS requested_at, q.criteria AS criteria
ORDER BY requested_at, statement
LIMIT $first
