// Writes verification requests and who asked. `open_until` and `open_for` are there while a request waits.
UNWIND $rows AS row
MATCH (a:Agent {agent_id: row.agent_id})
MATCH (s:Statement {signed_hash: row.target_hash})
CREATE (r:VerificationRequest {signed_hash: row.signed_hash})
SET r.request_id = row.request_id, r.criteria = row.criteria, r.requested_at = datetime(row.requested_at),
    r.received_at = datetime(row.received_at), r.log_index = row.log_index, r.agent_id = row.agent_id,
    r.document_hash = row.document_hash, r.origin = row.origin, r.wanted_verdicts = row.wanted_verdicts,
    r.eligible_verifiers = row.eligible_verifiers, r.open_until = row.open_until, r.open_for = row.open_for,
    r.deadline = CASE WHEN row.deadline IS NULL THEN null ELSE datetime(row.deadline) END
CREATE (r)-[:TARGETS]->(s)
CREATE (a)-[:REQUESTED_VERIFICATION {request_id: row.request_id, timestamp: datetime(row.requested_at)}]->(s)
