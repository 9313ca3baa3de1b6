// The endorsements that each of these keys signed from a place in the log on, with whom they are of.
UNWIND $keys AS key
MATCH (k:Key {key_id: key.key_id})<-[:HAS_KEY]-(:Agent)-[e:ENDORSED {key_id: key.key_id}]->(a:Agent)
WHERE e.log_index >= key.since
RETURN key.key_id AS key_id, e.signed_hash AS signed_hash, e.log_index AS log_index, a.agent_id AS endorsed
