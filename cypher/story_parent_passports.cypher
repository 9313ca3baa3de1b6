// The passports that these are derived from.
UNWIND $names AS name
MATCH (p:Passport {record_hash: name})-[:DERIVED_FROM]->(n:Passport)
WHERE n.log_index < $as_of
RETURN name AS parent, n.record_hash AS name, n.record_hash AS id, n.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
