// Which statement each of these verifications is about.
UNWIND $hashes AS hash
MATCH (v:Verification {signed_hash: hash})-[:VALIDATES]->(s:Statement)
RETURN v.signed_hash AS verification, s.signed_hash AS statement
