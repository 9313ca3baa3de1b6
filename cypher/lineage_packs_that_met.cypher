// The first readable packs in log order in which a step returned these bytes, before a log size.
UNWIND $names AS name
MATCH (d:Document {document_key: name})<-[:GENERATED]-(:Step)<-[:HAS_STEP]-(n:Pack)-[:RECORD_OF]->(b:Document)
WHERE n.log_index < $as_of AND coalesce(b.boundary, 'public') IN $readable
RETURN DISTINCT name AS parent, n.record_hash AS name, n.record_hash AS id, n.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
