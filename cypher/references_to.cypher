// The references of one kind to these statements, between two places of the log, from one end.
UNWIND $hashes AS hash
MATCH (t:Statement {signed_hash: hash})
CALL (t) {
  MATCH (t)<-[r:SUPPORTS|CONTRADICTS|REVISION_OF]-(s:Statement)
  WHERE type(r) = $relation AND s.log_index > $start AND s.log_index < $end
  RETURN s
  ORDER BY s.log_index * $sign
  LIMIT $limit
}
RETURN t.signed_hash AS statement, s.signed_hash AS signed_hash, s.log_index AS log_index
ORDER BY log_index * $sign
