// Notes that every cached score and reputation is of the last epoch and policy.
MATCH (h:LogHead {name: 'log'})
REMOVE h.rescore_from, h.rescore_after
