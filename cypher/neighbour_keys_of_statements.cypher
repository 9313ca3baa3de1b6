// The registered keys that these statements are signed with, before a log size.
UNWIND $names AS name
MATCH (s:Statement {signed_hash: name})<-[:GENERATED]-(:Agent)-[:HAS_KEY]->(k:Key)
WHERE k.key_id = s.key_id AND s.log_index < $as_of
RETURN DISTINCT name AS parent, k.key_id AS name, null AS id, k.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
