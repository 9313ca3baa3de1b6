// Records the family of which an agent is a version, by its own word, and who confirmed it; an agent has one family.
UNWIND $rows AS row
MATCH (a:Agent {agent_id: row.agent_id})
MERGE (f:AgentFamily {family_id: row.family})
  ON CREATE SET f.log_index = row.stated_at
MERGE (a)-[m:SPECIALIZATION_OF]->(f)
SET m.log_index = row.stated_at, m.stated_key = row.stated_key, m.founder = row.founder, m.invited_by = row.invited_by,
    m.invitation_hash = row.invitation_hash, m.invitation_key = row.invitation_key,
    m.confirmed_at = row.confirmed_at, m.confirmed = row.confirmed
