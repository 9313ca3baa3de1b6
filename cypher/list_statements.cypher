// The statements between two numbers, so many at most from one end, with their authors.
MATCH (h:LogHead {name: 'log'})
WITH CASE WHEN $high < h.statements THEN $high ELSE h.statements END AS top
WITH CASE WHEN $sign > 0 OR top - $limit <= $low THEN $low + 1 ELSE top - $limit END AS start,
     CASE WHEN $sign < 0 OR $low + 1 + $limit >= top THEN top ELSE $low + 1 + $limit END AS end
UNWIND range(start, end - 1) AS number
MATCH (s:Statement {statement_index: number})<-[:GENERATED]-(a:Agent)
RETURN s.signed_hash AS signed_hash, s.statement_id AS statement_id, s.document_hash AS document_hash,
       s.claim_text AS claim_text, s.confidence AS confidence, s.generation_method AS generation_method,
       s.content_hash AS content_hash, s.signature AS signature, s.key_id AS key_id, s.key_trusted AS key_trusted,
       s.log_index AS log_index,
       s.generated_at.epochSeconds * 1000000 + s.generated_at.microsecond AS generated_micros,
       s.received_at.epochSeconds * 1000000 + s.received_at.microsecond AS received_micros,
       s.retracted AS retracted, s.retraction_id AS retraction_id, s.retraction_hash AS retraction_hash,
       s.retraction_reason AS retraction_reason,
       s.retracted_at.epochSeconds * 1000000 + s.retracted_at.microsecond AS retracted_micros,
       s.superseded_by AS superseded_by,
       s.origin AS origin, s.conflicted AS conflicted,
       s.machine_check AS machine_check, s.machine_reason AS machine_reason,
       s.machine_checked_at.epochSeconds * 1000000 + s.machine_checked_at.microsecond AS machine_checked_micros,
       s.evidence_passed AS evidence_passed, s.probe AS probe, s.verified AS verified,
       s.consensus_score AS consensus_score,
       a.agent_id AS agent_id, a.name AS agent_name, a.version AS agent_version, a.publisher AS agent_publisher,
       a.reputation AS agent_reputation, s.statement_index AS number
ORDER BY number * $sign
