// Joins items of Context Packets to the documents that they are about, whether these are here or not.
UNWIND $rows AS row
MATCH (i:Item {item_key: row.item_key})
MERGE (d:Document {document_key: row.about})
  ON CREATE SET d.document_hash = row.about, d.held = false
MERGE (i)-[:ABOUT]->(d)
