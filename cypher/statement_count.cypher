// How many statements there are: their numbers are those below.
MATCH (h:LogHead {name: 'log'})
RETURN h.statements AS statements
