// The first readable passports in log order that are derived from these, before a log size.
UNWIND $names AS name
MATCH (p:Passport {record_hash: name})<-[:DERIVED_FROM]-(n:Passport)-[:RECORD_OF]->(b:Document)
WHERE n.log_index < $as_of AND coalesce(b.boundary, 'public') IN $readable
RETURN name AS parent, n.record_hash AS name, n.record_hash AS id, n.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
