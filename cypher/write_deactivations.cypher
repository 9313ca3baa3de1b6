// Notes where agents were deactivated; the first deactivation stands.
UNWIND $rows AS row
MATCH (a:Agent {agent_id: row.agent_id})
SET a.deactivated_at = coalesce(a.deactivated_at, row.log_index)
