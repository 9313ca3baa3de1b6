// Notes until when requests wait, for whom, and which agents that count for seeds have answered; null where none waits.
UNWIND $rows AS row
MATCH (r:VerificationRequest {signed_hash: row.signed_hash})
SET r.open_until = row.open_until, r.open_for = row.open_for, r.answered_by = row.answered_by
