// The relationships of a type with both ends, wherever they come from: one of them may belong to no log entry.
MATCH (a)-[r]->(b)
WHERE type(r) = $type
RETURN labels(a) AS start_labels, properties(a) AS start, labels(b) AS end_labels, properties(b) AS end
LIMIT $first
