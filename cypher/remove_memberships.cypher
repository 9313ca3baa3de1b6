// Removes the families that agents named before, by a word that is void.
UNWIND $rows AS row
MATCH (a:Agent {agent_id: row.agent_id})-[m:SPECIALIZATION_OF]->(f:AgentFamily)
WHERE f.family_id <> row.family
DELETE m
