// The first statements in log order that these keys signed, before a log size.
UNWIND $names AS name
MATCH (k:Key {key_id: name})<-[:HAS_KEY]-(:Agent)-[:GENERATED]->(s:Statement)
WHERE s.key_id = name AND s.log_index < $as_of
RETURN name AS parent, s.signed_hash AS name, s.statement_id AS id, s.log_index AS log_index
ORDER BY log_index
LIMIT $first
