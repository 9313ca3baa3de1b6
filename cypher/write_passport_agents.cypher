// Joins Context Passports to the agents that they name, where the key that signed them is registered for the agent.
UNWIND $rows AS row
MATCH (n:Passport {record_hash: row.record_hash})
MATCH (k:Key {public_key: row.public_key})<-[:HAS_KEY]-(a:Agent {agent_id: row.agent_id})
MERGE (n)-[r:ATTRIBUTED_TO]->(a)
SET r.key_id = k.key_id
