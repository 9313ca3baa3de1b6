// How many verdicts there are on each of these statements, so many at most.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})
CALL (s) {
  MATCH (s)<-[:VALIDATES]-(v:Verification)
  WITH v LIMIT $most
  RETURN count(v) AS number
}
RETURN s.signed_hash AS statement, number AS number
