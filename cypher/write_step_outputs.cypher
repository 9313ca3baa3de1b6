// Joins the steps of Context Packs to the content that they returned, by its hash.
UNWIND $rows AS row
MATCH (s:Step {step_key: row.step_key})
MERGE (d:Document {document_key: row.document_hash})
  ON CREATE SET d.document_hash = row.document_hash, d.held = false
MERGE (s)-[:GENERATED]->(d)
