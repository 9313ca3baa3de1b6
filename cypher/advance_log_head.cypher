// Moves the head of the log past the entries written in this transaction.
MATCH (h:LogHead {name: 'log'})
SET h.size = $size, h.statements = h.statements + $statements
