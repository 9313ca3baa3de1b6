// Joins Context Packs to their outputs, by the hash of their content.
UNWIND $rows AS row
MATCH (n:Pack {record_hash: row.record_hash})
MERGE (d:Document {document_key: row.document_hash})
  ON CREATE SET d.document_hash = row.document_hash, d.held = false
MERGE (n)-[:GENERATED {position: row.position}]->(d)
