// The keys that these keys registered, before a log size, oldest first.
UNWIND $names AS name
MATCH (k:Key {key_id: name})<-[:HAS_KEY]-(:Agent)-[:HAS_KEY]->(other:Key)
WHERE other.registered_by = name AND other.log_index < $as_of
RETURN name AS parent, other.key_id AS name, null AS id, other.log_index AS log_index
ORDER BY log_index
LIMIT $first
