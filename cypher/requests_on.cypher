// The verification requests about these statements: $all, or those alone that wait for so many verdicts, or agents.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:TARGETS]-(r:VerificationRequest)
WHERE $all OR (r.open_until IS NOT NULL AND (r.wanted_verdicts IS NOT NULL OR r.eligible_verifiers IS NOT NULL))
RETURN DISTINCT hash AS statement, r.signed_hash AS signed_hash
ORDER BY statement, signed_hash
