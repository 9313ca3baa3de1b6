// Writes the CHALLENGED edge of each challenging response.
UNWIND $rows AS row
MATCH (a:Agent {agent_id: row.agent_id})
MATCH (s:Statement {signed_hash: row.target_hash})
CREATE (a)-[:CHALLENGED {verification_id: row.verification_id, timestamp: datetime(row.verified_at),
                         reason: row.reason}]->(s)
