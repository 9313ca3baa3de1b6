// Records redactions: target, agent, time and reason.
UNWIND $rows AS row
CREATE (r:Redaction {signed_hash: row.signed_hash})
SET r.redaction_id = row.redaction_id, r.target = row.target, r.document_hash = row.document_hash,
    r.redacted_document_hash = row.redacted_document_hash, r.range_starts = row.range_starts,
    r.range_ends = row.range_ends, r.disclosure_digests = row.disclosure_digests, r.agent_id = row.agent_id,
    r.redacted_at = datetime(row.redacted_at), r.reason = row.reason, r.legal_basis = row.legal_basis,
    r.log_index = row.log_index
