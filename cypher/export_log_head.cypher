// The head of the log, as if the log ended at $size, with so many statements in it.
MATCH (n:LogHead)
RETURN n {.*, size: $size, statements: $statements} AS properties
ORDER BY n.name
