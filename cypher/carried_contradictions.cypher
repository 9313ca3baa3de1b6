// The statements carried by verdicts that these statements say they contradict, and that say so of them.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})-[:CONTRADICTS]->(o:Statement)
WHERE o.carried
RETURN hash AS statement, o.signed_hash AS signed_hash, true AS declares
ORDER BY statement, signed_hash
UNION ALL
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:CONTRADICTS]-(o:Statement)
WHERE o.carried
RETURN hash AS statement, o.signed_hash AS signed_hash, false AS declares
ORDER BY statement, signed_hash
