// The nodes of a label, of which an audit names those that belong to no log entry.
MATCH (n)
WHERE $label IN labels(n)
RETURN properties(n) AS properties
LIMIT $first
