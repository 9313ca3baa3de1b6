// Writes the steps of Context Packs.
UNWIND $rows AS row
MATCH (n:Pack {record_hash: row.record_hash})
MERGE (s:Step {step_key: row.step_key})
SET s.record_hash = row.record_hash, s.log_index = n.log_index, s.position = row.position, s.index = row.index,
    s.type = row.type, s.tool = row.tool, s.deterministic = row.deterministic, s.timestamp = row.timestamp
MERGE (n)-[:HAS_STEP]->(s)
