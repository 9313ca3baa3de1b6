// How many verdicts of each kind these statements have, of those that bind and stand; the machine's own are left out.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:VALIDATES]-(v:Verification)
WHERE v.binds AND v.key_trusted AND NOT v.retracted AND NOT v.machine
RETURN hash AS statement, v.verdict AS verdict, count(v) AS number
ORDER BY statement, verdict
