// The agents of a page of keys; a row for each key, without an agent where it has none.
MATCH (k:Key)
WHERE k.key_id > $after AND k.log_index < $size
WITH k ORDER BY k.key_id LIMIT $first
OPTIONAL MATCH (a:Agent)-[r:HAS_KEY]->(k)
RETURN k.key_id AS key, a.agent_id AS start, k.key_id AS end, properties(r) AS properties
ORDER BY k.key_id
