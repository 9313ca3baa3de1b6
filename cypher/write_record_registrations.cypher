// Registers records of other formats: their bytes by hash, and the agents that registered them.
UNWIND $rows AS row
MATCH (a:Agent {agent_id: row.agent_id})
MERGE (d:Document {document_key: row.document_hash})
  ON CREATE SET d.held = false
SET d.document_hash = row.document_hash
CREATE (a)-[:REGISTERED {registration_id: row.registration_id, signed_hash: row.signed_hash,
                         timestamp: datetime(row.registered_at), boundary: row.stated_boundary,
                         format: row.format, possession_mac: row.possession_mac, key_id: row.key_id, key_trusted: true,
                         log_index: row.log_index}]->(d)
