// Verdicts about one of these statements, up to a number.
UNWIND $statements AS statement
MATCH (:Statement {signed_hash: statement})<-[:VALIDATES]-(v:Verification)
RETURN DISTINCT v.signed_hash AS key
LIMIT $first
