// The cached score of each of these statements.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})
RETURN s.signed_hash AS name, s.consensus_score AS consensus_score, s.verified AS verified
ORDER BY name
