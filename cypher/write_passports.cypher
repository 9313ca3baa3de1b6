// Makes the nodes of Context Passports, with the properties that are known before their bytes are read.
UNWIND $rows AS row
MATCH (d:Document {document_key: row.record_hash})
MERGE (n:Passport {record_hash: row.record_hash})
  ON CREATE SET n.log_index = row.log_index, n.held = false
MERGE (n)-[:RECORD_OF]->(d)
