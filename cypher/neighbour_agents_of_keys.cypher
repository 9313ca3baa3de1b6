// The agents that registered these keys as theirs, before a log size.
UNWIND $names AS name
MATCH (k:Key {key_id: name})<-[:HAS_KEY]-(a:Agent)
WHERE k.log_index < $as_of
RETURN DISTINCT name AS parent, a.agent_id AS name, null AS id, a.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
