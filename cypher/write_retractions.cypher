// Records retractions; that a message is taken back is noted where it is (write_retracted_…).
UNWIND $rows AS row
CREATE (r:Retraction {signed_hash: row.signed_hash})
SET r.retraction_id = row.retraction_id, r.agent_id = row.agent_id, r.target_hash = row.target_hash,
    r.target_type = row.target_type, r.reason = row.reason, r.retracted_at = datetime(row.retracted_at),
    r.key_id = row.key_id, r.key_trusted = true, r.log_index = row.log_index
