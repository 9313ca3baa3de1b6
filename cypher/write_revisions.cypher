// Writes which earlier statement each of these revises.
UNWIND $rows AS row
MATCH (s:Statement {signed_hash: row.signed_hash})
MATCH (t:Statement {signed_hash: row.target_hash})
MERGE (s)-[:REVISION_OF]->(t)
