// How many verdicts there are on each of these statements.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:VALIDATES]-(v:Verification)
RETURN s.signed_hash AS statement, count(v) AS number
