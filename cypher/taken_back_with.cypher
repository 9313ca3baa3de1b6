// The targets of the retractions and the revisions of these keys, from a place in the log on.
UNWIND $keys AS key
MATCH (r:Retraction {key_id: key.key_id})
WHERE r.log_index >= key.since
RETURN r.target_hash AS target_hash, r.target_type AS kind
UNION
UNWIND $keys AS key
MATCH (k:Key {key_id: key.key_id})<-[:HAS_KEY]-(:Agent)-[:GENERATED]->(n:Statement)-[:REVISION_OF]->(s:Statement)
WHERE n.key_id = key.key_id AND n.log_index >= key.since
RETURN s.signed_hash AS target_hash, 'revision' AS kind
