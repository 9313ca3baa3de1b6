// The number of entries in the log.
MATCH (h:LogHead {name: 'log'})
RETURN h.size AS size
