// Notes which versions are confirmed members of their families.
UNWIND $rows AS row
MATCH (a:Agent {agent_id: row.agent_id})-[m:SPECIALIZATION_OF]->(f:AgentFamily)
WHERE f.family_id = row.family
SET m.confirmed = row.confirmed
