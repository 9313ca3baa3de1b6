// The admission policy in force: the last one in the log.
MATCH (p:AdmissionPolicy)
RETURN p.policy_id AS policy_id, p.signed_hash AS signed_hash, p.mode AS mode, p.allowed_agents AS allowed_agents,
       p.invitations AS invitations, p.quotas AS quotas, p.log_index AS log_index,
       p.issued_at.epochSeconds * 1000000 + p.issued_at.microsecond AS issued_micros
ORDER BY p.log_index DESC
LIMIT 1
