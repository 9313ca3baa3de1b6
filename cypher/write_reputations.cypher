// Caches the reputation of agents and the counters behind it.
UNWIND $rows AS row
MATCH (a:Agent {agent_id: row.agent_id})
SET a.reputation = row.reputation, a.verdicts_right = row.verdicts_right, a.verdicts_wrong = row.verdicts_wrong
