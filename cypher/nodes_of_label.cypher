// The nodes of a label, wherever they come from, for whoever looks for one that belongs to no log entry.
MATCH (n)
WHERE $label IN labels(n)
RETURN properties(n) AS properties
LIMIT $first
