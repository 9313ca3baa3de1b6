// The first readable passports in log order whose signature these keys prove, before a log size.
UNWIND $names AS name
MATCH (k:Key {key_id: name})<-[:HAS_KEY]-(:Agent)<-[r:ATTRIBUTED_TO]-(n:Passport)-[:RECORD_OF]->(b:Document)
WHERE r.key_id = name AND n.log_index < $as_of AND coalesce(b.boundary, 'public') IN $readable
RETURN name AS parent, n.record_hash AS name, n.record_hash AS id, n.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
