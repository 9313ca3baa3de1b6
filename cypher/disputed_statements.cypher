// These statements as the sides of disputes: the result of their verdicts, whether they stand, and who wrote them.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:GENERATED]-(a:Agent)
RETURN s.signed_hash AS signed_hash, s.statement_id AS statement_id, s.claim_text AS claim_text,
       s.subject_key AS subject_key, s.consensus_score AS score, s.verified AS verified, s.carried AS carried,
       s.carried_by AS carried_by, s.opposed_by AS opposed_by, s.log_index AS log_index,
       s.retracted AS retracted, s.superseded_by AS superseded_by, s.key_trusted AS key_trusted,
       a.agent_id AS author
ORDER BY log_index
