// Where in the log each of these statements was first asked about, or judged by anybody but this node's machine.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})
OPTIONAL MATCH (s)<-[:TARGETS]-(r:VerificationRequest)
WITH s, min(r.log_index) AS requested
OPTIONAL MATCH (s)<-[:VALIDATES]-(v:Verification)
WHERE NOT v.machine
RETURN s.signed_hash AS statement, requested, min(v.log_index) AS judged
