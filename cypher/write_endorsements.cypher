// Records who vouches for whom: the endorser is the operator of the endorsed agent. Of a pair and a key the first stays.
UNWIND $rows AS row
MATCH (operator:Agent {agent_id: row.endorsing_agent})
MATCH (agent:Agent {agent_id: row.endorsed_agent})
MERGE (operator)-[e:ENDORSED {key_id: row.key_id}]->(agent)
  ON CREATE SET e.endorsement_id = row.endorsement_id, e.signed_hash = row.signed_hash, e.key_trusted = true,
                e.timestamp = datetime(row.endorsed_at), e.log_index = row.log_index
