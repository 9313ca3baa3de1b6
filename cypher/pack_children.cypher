// The packs that follow each of these Context Packs between two places of the log, from one end.
UNWIND $hashes AS hash
MATCH (p:Pack {record_hash: hash})
CALL (p) {
  MATCH (p)<-[:INFORMED_BY]-(c:Pack)
  WHERE c.log_index > $start AND c.log_index < $end
  RETURN c
  ORDER BY c.log_index * $sign
  LIMIT $limit
}
RETURN p.record_hash AS parent, c.record_hash AS child, c.log_index AS log_index
ORDER BY log_index * $sign
