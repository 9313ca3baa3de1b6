// Writes the items of Context Packets.
UNWIND $rows AS row
MATCH (n:Packet {record_hash: row.record_hash})
MERGE (i:Item {item_key: row.item_key})
SET i.record_hash = row.record_hash, i.position = row.position, i.item_id = row.item_id, i.kind = row.kind,
    i.epistemic_status = row.epistemic_status, i.promotion_state = row.promotion_state,
    i.confidence = row.confidence, i.stakes = row.stakes, i.boundary = row.boundary,
    i.branch_status = row.branch_status, i.source = row.source, i.author = row.author, i.trust = row.trust,
    i.recorded_at = row.recorded_at, i.supersedes = row.supersedes, i.superseded_by = row.superseded_by,
    i.statement_hash = row.statement_hash, i.log_index = n.log_index
MERGE (n)-[:HAS_ITEM]->(i)
