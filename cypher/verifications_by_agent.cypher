// The verdicts of each of these agents between two places of the log, so many at most, from one end.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})
CALL (a) {
  MATCH (a)<-[:PERFORMED_BY]-(v:Verification)-[:VALIDATES]->(s:Statement)
  WHERE v.log_index > $start AND v.log_index < $end
  RETURN v, s
  ORDER BY v.log_index * $sign
  LIMIT $limit
}
RETURN s.signed_hash AS statement, v.signed_hash AS signed_hash, v.verification_id AS verification_id,
       v.document_hash AS document_hash, v.verdict AS verdict, v.confidence AS confidence,
       v.verified_at.epochSeconds * 1000000 + v.verified_at.microsecond AS verified_micros,
       v.received_at.epochSeconds * 1000000 + v.received_at.microsecond AS received_micros,
       v.log_index AS log_index, v.signature AS signature, v.key_id AS key_id,
       v.retracted AS retracted, v.retraction_id AS retraction_id, v.retraction_hash AS retraction_hash,
       v.retraction_reason AS retraction_reason,
       v.retracted_at.epochSeconds * 1000000 + v.retracted_at.microsecond AS retracted_micros,
       v.key_trusted AS key_trusted, v.reason AS reason, v.target_hash AS target_hash,
       v.binds AS binds, v.machine AS machine, v.label AS label, v.finding_criteria AS finding_criteria,
       v.finding_statuses AS finding_statuses, v.finding_confidences AS finding_confidences,
       v.finding_evidence AS finding_evidence,
       v.request_hash AS request_hash, v.supersedes AS supersedes, v.counter_statement AS counter_statement,
       v.cross_references AS cross_references, v.evidence_documents AS evidence_documents,
       v.evidence_sources AS evidence_sources, v.evidence_chunks AS evidence_chunks,
       v.evidence_starts AS evidence_starts, v.evidence_ends AS evidence_ends, v.evidence_hashes AS evidence_hashes,
       a.agent_id AS agent_id, a.name AS agent_name, a.version AS agent_version, a.publisher AS agent_publisher,
       a.reputation AS agent_reputation
ORDER BY log_index * $sign
