// Notes which verifications are retracted, by which retraction, or that they are not.
UNWIND $rows AS row
MATCH (n:Verification {signed_hash: row.signed_hash})
SET n.retracted = row.retracted, n.retraction_id = row.retraction_id, n.retraction_hash = row.retraction_hash,
    n.retraction_reason = row.retraction_reason,
    n.retracted_at = CASE WHEN row.retracted THEN datetime(row.retracted_at) ELSE null END
