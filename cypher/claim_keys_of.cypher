// The keys of the claims of these statements.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})
RETURN s.signed_hash AS signed_hash, s.claim_key AS claim_key
ORDER BY signed_hash
