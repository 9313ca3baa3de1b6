// The statements carried by verdicts that are about these subjects, the best of each first.
UNWIND $keys AS key
CALL (key) {
  MATCH (s:Statement {carried_subject: key})
  RETURN s
  ORDER BY s.consensus_score DESC, s.signed_hash
  LIMIT $most
}
RETURN key AS subject, s.signed_hash AS signed_hash
ORDER BY subject, signed_hash
