// Caches where agents were deactivated, by the messages about them that hold.
UNWIND $rows AS row
MATCH (a:Agent {agent_id: row.agent_id})
SET a.deactivated_at = row.deactivated_at
