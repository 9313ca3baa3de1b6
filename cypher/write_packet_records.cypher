// Makes the nodes of receipts, returns and dispositions, with the properties known before their bytes are read.
UNWIND $rows AS row
MATCH (d:Document {document_key: row.record_hash})
MERGE (n:PacketRecord {record_hash: row.record_hash})
  ON CREATE SET n.log_index = row.log_index, n.held = false
MERGE (n)-[:RECORD_OF]->(d)
