// Notes that every cached score and reputation is to be worked out again.
MATCH (h:LogHead {name: 'log'})
SET h.rescore_from = 0, h.rescore_after = ''
