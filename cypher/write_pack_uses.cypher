// Joins Context Packs to the prompts and inputs that they used, by the hash of their content.
UNWIND $rows AS row
MATCH (n:Pack {record_hash: row.record_hash})
MERGE (d:Document {document_key: row.document_hash})
  ON CREATE SET d.document_hash = row.document_hash, d.held = false
MERGE (n)-[u:USED {part: row.part, position: row.position}]->(d)
SET u.role = row.role
