// Caches the accuracy that an epoch estimated of agents, none where it said nothing of one.
UNWIND $rows AS row
MATCH (a:Agent {agent_id: row.agent_id})
SET a.estimated_accuracy = row.estimated_accuracy
