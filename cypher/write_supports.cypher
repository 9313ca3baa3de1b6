// Writes the SUPPORTS edges that statements declare.
UNWIND $rows AS row
MATCH (s:Statement {signed_hash: row.signed_hash})
MATCH (t:Statement {signed_hash: row.target_hash})
MERGE (s)-[:SUPPORTS]->(t)
