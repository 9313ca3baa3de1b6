// The result of the verdicts on these statements: the agents that validated each, and the challenges, in log order.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:GENERATED]-(author:Agent)
OPTIONAL MATCH (s)<-[:VALIDATES]-(v:Verification)-[:PERFORMED_BY]->(a:Agent)
WHERE v.binds AND v.key_trusted AND NOT v.retracted AND NOT v.machine AND a.agent_id <> author.agent_id
WITH s, v, a
ORDER BY v.log_index
RETURN s.signed_hash AS statement, s.verified AS verified, s.consensus_score AS consensus_score,
       s.key_trusted AS key_trusted, s.retracted AS retracted, s.retraction_id AS retraction_id,
       s.superseded_by AS superseded_by, s.probe_passes AS probe_passes,
       CASE WHEN s.evidence_passed AND s.machine_check = 'INCONCLUSIVE' THEN s.machine_checked_at END AS decayed_at,
       collect(DISTINCT CASE WHEN v.verdict = 'VALIDATED' THEN a.agent_id END) AS validators,
       collect(CASE WHEN v.verdict = 'CHALLENGED' THEN v.verification_id END) AS challenges
