// The readable documents that these agents registered, before a log size.
UNWIND $names AS name
MATCH (a:Agent {agent_id: name})-[r:REGISTERED]->(d:Document)
WHERE r.log_index < $as_of AND coalesce(d.boundary, 'public') IN $readable
RETURN DISTINCT name AS parent, d.document_key AS name, d.doc_id AS id, 0 AS log_index
ORDER BY name
LIMIT $first
