// Notes up to which request, by hash, it has been worked out again whether they wait.
MATCH (h:LogHead {name: 'log'})
SET h.resettle_after = $after
