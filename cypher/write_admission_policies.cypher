// Records admission policies; the last one is in force.
UNWIND $rows AS row
CREATE (p:AdmissionPolicy {signed_hash: row.signed_hash})
SET p.policy_id = row.policy_id, p.issued_at = datetime(row.issued_at), p.mode = row.mode,
    p.allowed_agents = row.allowed_agents, p.invitations = row.invitations, p.quotas = row.quotas,
    p.log_index = row.log_index
