// The statements that these declare they contradict, and the first others in the log that declare so of them.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})-[:CONTRADICTS]->(o:Statement)
RETURN hash AS statement, o.signed_hash AS signed_hash, true AS declares
ORDER BY statement, signed_hash
UNION ALL
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})
CALL (s) {
  MATCH (s)<-[:CONTRADICTS]-(o:Statement)
  RETURN o
  ORDER BY o.carried DESC, o.consensus_score DESC, o.log_index
  LIMIT $most
}
RETURN s.signed_hash AS statement, o.signed_hash AS signed_hash, false AS declares
ORDER BY statement, signed_hash
