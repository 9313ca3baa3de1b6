// The head of the log with everything that it holds.
MATCH (h:LogHead)
RETURN properties(h) AS properties
ORDER BY h.name
