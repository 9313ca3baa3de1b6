// The first readable packs in log order that have these bytes as an output, before a log size.
UNWIND $names AS name
MATCH (d:Document {document_key: name})<-[:GENERATED]-(n:Pack)-[:RECORD_OF]->(b:Document)
WHERE n.log_index < $as_of AND coalesce(b.boundary, 'public') IN $readable
RETURN DISTINCT name AS parent, n.record_hash AS name, n.record_hash AS id, n.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
