// Makes the head of the log where there is none yet.
MERGE (h:LogHead {name: 'log'})
  ON CREATE SET h.size = 0, h.statements = 0, h.lock = ''
RETURN h.size AS size
