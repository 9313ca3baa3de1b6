// Keeps the vectors of claims.
UNWIND $rows AS row
MATCH (s:Statement {signed_hash: row.key})
MERGE (v:SearchVector {vector_key: row.key})
SET v = row.properties
