// From which statement and after which agent scores are still to be worked out again, nulls where none are.
MATCH (h:LogHead {name: 'log'})
RETURN h.rescore_from AS start, h.rescore_after AS after, h.statements AS statements
