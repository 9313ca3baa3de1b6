// Records declines of verification requests.
UNWIND $rows AS row
CREATE (d:VerificationDecline {signed_hash: row.signed_hash})
SET d.decline_id = row.decline_id, d.document_hash = row.document_hash, d.agent_id = row.agent_id,
    d.request_hash = row.request_hash, d.target_hash = row.target_hash, d.reason = row.reason,
    d.declined_at = datetime(row.declined_at), d.received_at = datetime(row.received_at),
    d.key_id = row.key_id, d.log_index = row.log_index
WITH d
MATCH (r:VerificationRequest {signed_hash: d.request_hash})
CREATE (d)-[:DECLINES]->(r)
