// The statements that each of these keys signed from a place in the log on.
UNWIND $keys AS key
MATCH (k:Key {key_id: key.key_id})<-[:HAS_KEY]-(:Agent)-[:GENERATED]->(s:Statement)
WHERE s.key_id = key.key_id AND s.log_index >= key.since
RETURN key.key_id AS key_id, s.signed_hash AS signed_hash, s.log_index AS log_index
