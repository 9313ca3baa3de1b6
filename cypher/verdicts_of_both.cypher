// The verdicts of these agents on these statements, in log order; the last verdict of each is the one that stands.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:VALIDATES]-(v:Verification)-[:PERFORMED_BY]->(a:Agent)
WHERE a.agent_id IN $agents AND v.binds AND v.key_trusted AND NOT v.retracted
RETURN s.signed_hash AS statement, s.log_index AS statement_index, s.verified AS verified,
       s.consensus_score AS consensus_score, a.agent_id AS agent, v.signed_hash AS signed_hash,
       v.verdict AS verdict, v.confidence AS confidence, v.label AS label
ORDER BY statement_index, v.log_index
