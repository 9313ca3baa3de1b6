// Writes disputes of gold labels; whether they suspend their targets is noted later (write_gold_suspensions).
UNWIND $rows AS row
MATCH (g:GoldLabel {signed_hash: row.label_hash})
CREATE (d:GoldDispute {signed_hash: row.signed_hash})
SET d.dispute_id = row.message_id, d.agent_id = row.agent_id, d.disputed_at = datetime(row.at),
    d.label_hash = row.label_hash, d.target_hash = row.statement, d.reason = row.reason, d.evidence = row.evidence,
    d.key_id = row.key_id, d.key_trusted = true, d.log_index = row.log_index
CREATE (d)-[:DISPUTES]->(g)
