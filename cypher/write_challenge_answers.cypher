// Records the answers of authors to challenges of their statements.
UNWIND $rows AS row
CREATE (n:ChallengeAnswer {signed_hash: row.signed_hash})
SET n.answer_id = row.answer_id, n.document_hash = row.document_hash, n.agent_id = row.agent_id,
    n.target_hash = row.target_hash, n.statement_hash = row.statement_hash, n.text = row.text,
    n.answered_at = datetime(row.answered_at), n.received_at = datetime(row.received_at),
    n.key_id = row.key_id, n.log_index = row.log_index,
    n.evidence_documents = row.evidence_documents, n.evidence_sources = row.evidence_sources,
    n.evidence_chunks = row.evidence_chunks, n.evidence_starts = row.evidence_starts,
    n.evidence_ends = row.evidence_ends, n.evidence_hashes = row.evidence_hashes
