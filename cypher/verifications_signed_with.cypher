// The verdicts that each of these keys signed from a place in the log on, with their statements.
UNWIND $keys AS key
MATCH (k:Key {key_id: key.key_id})<-[:HAS_KEY]-(:Agent)<-[:PERFORMED_BY]-(v:Verification)-[:VALIDATES]->(s:Statement)
WHERE v.key_id = key.key_id AND v.log_index >= key.since
RETURN key.key_id AS key_id, v.signed_hash AS signed_hash, v.log_index AS log_index, s.signed_hash AS statement
