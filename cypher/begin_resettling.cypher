// Notes that whether requests wait is to be worked out again, from the first on.
MATCH (h:LogHead {name: 'log'})
SET h.resettle_after = ''
