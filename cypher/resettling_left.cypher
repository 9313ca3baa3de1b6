// After which request, by hash, it is still to be worked out again whether they wait, null where of none.
MATCH (h:LogHead {name: 'log'})
RETURN h.resettle_after AS after
