// Notes that of every request it is known whether it waits under the policy in force.
MATCH (h:LogHead {name: 'log'})
REMOVE h.resettle_after
