// Which statement each gold label is of, by hash, page by page.
MATCH (n:GoldLabel)-[r:LABELS]->(m:Statement)
WHERE n.signed_hash > $after AND n.log_index < $size
RETURN n.signed_hash AS key, n.signed_hash AS start, m.signed_hash AS end, properties(r) AS properties
ORDER BY key
LIMIT $first
