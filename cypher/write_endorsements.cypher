// Records who vouches for whom: the endorser is the operator of the endorsed agent.
UNWIND $rows AS row
MATCH (operator:Agent {agent_id: row.endorsing_agent})
MATCH (agent:Agent {agent_id: row.endorsed_agent})
CREATE (operator)-[:ENDORSED {endorsement_id: row.endorsement_id, signed_hash: row.signed_hash,
                              timestamp: datetime(row.endorsed_at), log_index: row.log_index}]->(agent)
