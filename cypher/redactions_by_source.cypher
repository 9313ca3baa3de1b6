// The redactions of the documents that are registered under each of these names, in log order.
UNWIND $ids AS id
MATCH (s:Source {source_id: id})<-[:SOURCED_FROM]-(d:Document)
MATCH (r:Redaction {target: d.document_key})
RETURN s.source_id AS source_id,
       r.redaction_id AS redaction_id, r.signed_hash AS signed_hash, r.target AS target,
       r.document_hash AS document_hash, r.redacted_document_hash AS redacted_document_hash,
       r.range_starts AS range_starts, r.range_ends AS range_ends, r.disclosure_digests AS disclosure_digests,
       r.agent_id AS agent_id, r.redacted_at AS redacted_at, r.reason AS reason, r.legal_basis AS legal_basis,
       r.log_index AS log_index
ORDER BY r.log_index
