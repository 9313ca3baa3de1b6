// A page of the sources, by id.
MATCH (n:Source)
WHERE n.source_id > $after
RETURN n.source_id AS key, properties(n) AS properties
ORDER BY n.source_id
LIMIT $first
