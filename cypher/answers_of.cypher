// The answers of authors to each of these challenges between two places of the log, from one end.
UNWIND $hashes AS hash
MATCH (v:Verification {signed_hash: hash})
CALL (v) {
  MATCH (n:ChallengeAnswer {target_hash: v.signed_hash})
  WHERE n.log_index > $start AND n.log_index < $end
  RETURN n
  ORDER BY n.log_index * $sign
  LIMIT $limit
}
OPTIONAL MATCH (k:Key {key_id: n.key_id})
RETURN hash AS challenge, n.signed_hash AS signed_hash, n.answer_id AS answer_id, n.document_hash AS document_hash,
       n.agent_id AS agent_id, n.statement_hash AS statement, n.text AS text, n.log_index AS log_index,
       n.answered_at.epochSeconds * 1000000 + n.answered_at.microsecond AS answered_micros,
       n.received_at.epochSeconds * 1000000 + n.received_at.microsecond AS received_micros,
       k.not_trusted_since IS NULL OR n.log_index < k.not_trusted_since AS key_trusted,
       n.evidence_documents AS evidence_documents, n.evidence_sources AS evidence_sources,
       n.evidence_chunks AS evidence_chunks, n.evidence_starts AS evidence_starts,
       n.evidence_ends AS evidence_ends, n.evidence_hashes AS evidence_hashes
ORDER BY log_index * $sign
