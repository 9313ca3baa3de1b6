// The keys that registered these keys, before a log size.
UNWIND $names AS name
MATCH (k:Key {key_id: name})<-[:HAS_KEY]-(:Agent)-[:HAS_KEY]->(other:Key)
WHERE other.key_id = k.registered_by AND k.log_index < $as_of
RETURN DISTINCT name AS parent, other.key_id AS name, null AS id, other.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
