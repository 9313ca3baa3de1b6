// The records derived from each of these Context Passports between two places of the log, from one end.
UNWIND $hashes AS hash
MATCH (p:Passport {record_hash: hash})
CALL (p) {
  MATCH (p)<-[:DERIVED_FROM]-(c:Passport)
  WHERE c.log_index > $start AND c.log_index < $end
  RETURN DISTINCT c
  ORDER BY c.log_index * $sign
  LIMIT $limit
}
RETURN p.record_hash AS parent, c.record_hash AS child, c.log_index AS log_index
ORDER BY log_index * $sign
