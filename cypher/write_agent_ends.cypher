// Caches where agents were deactivated, by what holds of what was said about them.
UNWIND $rows AS row
MATCH (a:Agent {agent_id: row.agent_id})
SET a.deactivated_at = row.deactivated_at
