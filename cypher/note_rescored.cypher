// Notes how far cached scores have been worked out again: the next statement, and the last agent.
MATCH (h:LogHead {name: 'log'})
SET h.rescore_from = $start, h.rescore_after = $after
