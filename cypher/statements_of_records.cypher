// The statements that came out of each of these records between two places of the log, from one end.
UNWIND $hashes AS hash
MATCH (d:Document {document_key: hash})
CALL (d) {
  MATCH (d)<-[:GENERATED_BY]-(s:Statement)
  WHERE s.log_index > $start AND s.log_index < $end
  RETURN s
  ORDER BY s.log_index * $sign
  LIMIT $limit
}
RETURN d.document_key AS record_hash, s.signed_hash AS signed_hash, s.log_index AS log_index
ORDER BY log_index * $sign
