// The head of the log, as if the log ended at $size.
MATCH (n:LogHead)
RETURN n {.*, size: $size} AS properties
ORDER BY n.name
