// Writes the CONTRADICTS edges that statements declare.
UNWIND $rows AS row
MATCH (s:Statement {signed_hash: row.signed_hash})
MATCH (t:Statement {signed_hash: row.target_hash})
MERGE (s)-[:CONTRADICTS]->(t)
