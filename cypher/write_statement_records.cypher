// Writes which records statements came out of, by the hash of the record's bytes, whether they are here or not.
UNWIND $rows AS row
MATCH (s:Statement {signed_hash: row.signed_hash})
MERGE (d:Document {document_key: row.record_hash})
  ON CREATE SET d.document_hash = row.record_hash, d.held = false
MERGE (s)-[:GENERATED_BY]->(d)
