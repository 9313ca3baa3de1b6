// Joins Context Passports that came before the key that signed them to the agent which registers it.
UNWIND $rows AS row
MATCH (n:Passport {signed_by: row.public_key})
WHERE n.agent_id = row.agent_id
MATCH (a:Agent {agent_id: row.agent_id})
MERGE (n)-[r:ATTRIBUTED_TO]->(a)
SET r.key_id = row.key_id
