// The references of these statements to others: which they support, contradict and revise.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})-[r:SUPPORTS|CONTRADICTS|REVISION_OF]->(t:Statement)
RETURN s.signed_hash AS statement, type(r) AS relation, t.signed_hash AS signed_hash
ORDER BY t.log_index
