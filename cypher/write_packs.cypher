// Makes the nodes of Context Packs, with what is known before their bytes are read, and joins packs that followed them.
UNWIND $rows AS row
MATCH (d:Document {document_key: row.record_hash})
MERGE (n:Pack {record_hash: row.record_hash})
  ON CREATE SET n.log_index = row.log_index, n.held = false
MERGE (n)-[:RECORD_OF]->(d)
WITH row, n
MATCH (c:Pack {parent: row.record_hash})
MERGE (c)-[:INFORMED_BY]->(n)
