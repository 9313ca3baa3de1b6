// The statements that each of these statements says it contradicts.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})-[:CONTRADICTS]->(t:Statement)
RETURN s.signed_hash AS statement, t.signed_hash AS contradicted
