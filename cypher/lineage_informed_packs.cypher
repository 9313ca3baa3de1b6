// The first readable packs in log order that follow these, before a log size.
UNWIND $names AS name
MATCH (p:Pack {record_hash: name})<-[:INFORMED_BY]-(n:Pack)-[:RECORD_OF]->(b:Document)
WHERE n.log_index < $as_of AND coalesce(b.boundary, 'public') IN $readable
RETURN name AS parent, n.record_hash AS name, n.record_hash AS id, n.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
