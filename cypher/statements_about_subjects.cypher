// The statements about these subjects, of each those first that verdicts carry, then the best, then the oldest.
UNWIND $keys AS key
CALL (key) {
  MATCH (s:Statement {subject_key: key})
  RETURN s
  ORDER BY s.carried DESC, s.consensus_score DESC, s.log_index
  LIMIT $most
}
RETURN key AS subject_key, s.signed_hash AS signed_hash
ORDER BY subject_key, signed_hash
