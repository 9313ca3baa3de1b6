// The first parents of each of these Passports, before a log size: its own parent's, then those that it merges.
UNWIND $hashes AS hash
MATCH (c:Passport {record_hash: hash})
CALL (c) {
  MATCH (c)-[r:DERIVED_FROM]->(p:Passport)
  WHERE p.log_index < $size
  RETURN r, p
  ORDER BY r.merged, p.log_index
  LIMIT $first
}
RETURN c.record_hash AS child, p.record_hash AS parent, r.named AS named, r.merged AS merged
ORDER BY child, merged, p.log_index
