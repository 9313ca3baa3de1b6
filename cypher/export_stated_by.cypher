// Who states each gold label, by hash, page by page.
MATCH (n:GoldLabel)-[r:STATED_BY]->(m:Agent)
WHERE n.signed_hash > $after AND n.log_index < $size
RETURN n.signed_hash AS key, n.signed_hash AS start, m.agent_id AS end, properties(r) AS properties
ORDER BY key
LIMIT $first
