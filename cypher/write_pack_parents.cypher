// Joins Context Packs to the packs that they follow, where those are here.
UNWIND $rows AS row
MATCH (n:Pack {record_hash: row.record_hash})
MATCH (p:Pack {record_hash: row.parent})
MERGE (n)-[:INFORMED_BY]->(p)
