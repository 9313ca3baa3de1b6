// What the first others in log order say of these statements: that they support, contradict or revise them.
UNWIND $hashes AS hash
MATCH (t:Statement {signed_hash: hash})
CALL (t) {
  MATCH (t)<-[r:SUPPORTS|CONTRADICTS|REVISION_OF]-(s:Statement)
  RETURN type(r) AS relation, s
  ORDER BY s.log_index
  LIMIT $first
}
RETURN t.signed_hash AS statement, relation AS relation, s.signed_hash AS signed_hash
ORDER BY s.log_index
