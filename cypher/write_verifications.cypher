// Writes verification responses: the record, its statement, its agent, and the agent's VERIFIED edge.
UNWIND $rows AS row
MATCH (a:Agent {agent_id: row.agent_id})
MATCH (s:Statement {signed_hash: row.target_hash})
CREATE (v:Verification {signed_hash: row.signed_hash})
SET v.verification_id = row.verification_id, v.document_hash = row.document_hash, v.verdict = row.verdict,
    v.confidence = row.confidence, v.verified_at = datetime(row.verified_at),
    v.received_at = datetime(row.received_at), v.log_index = row.log_index, v.signature = row.signature,
    v.key_id = row.key_id, v.key_trusted = true, v.retracted = false,
    v.reason = row.reason, v.target_hash = row.stated_target_hash, v.binds = row.binds,
    v.machine = row.machine, v.finding_criteria = row.finding_criteria,
    v.finding_statuses = row.finding_statuses, v.finding_confidences = row.finding_confidences,
    v.finding_evidence = row.finding_evidence,
    v.request_hash = row.request_hash, v.supersedes = row.supersedes,
    v.counter_statement = row.counter_statement, v.cross_references = row.cross_references,
    v.evidence_documents = row.evidence_documents, v.evidence_sources = row.evidence_sources,
    v.evidence_chunks = row.evidence_chunks, v.evidence_starts = row.evidence_starts,
    v.evidence_ends = row.evidence_ends, v.evidence_hashes = row.evidence_hashes
CREATE (v)-[:VALIDATES]->(s)
CREATE (v)-[:PERFORMED_BY]->(a)
CREATE (a)-[:VERIFIED {verification_id: row.verification_id, verdict: row.verdict,
                       timestamp: datetime(row.verified_at)}]->(s)
