// The verdicts of these agents on probes that stand, given after the commitment and before the label that reveals it.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})<-[:PERFORMED_BY]-(v:Verification)-[:VALIDATES]->(s:Statement)
WHERE s.probe AND v.binds AND v.key_trusted AND NOT v.machine
MATCH (g:GoldLabel {target_hash: s.signed_hash})
WHERE g.probe AND g.in_force AND v.log_index < g.log_index
RETURN a.agent_id AS verifier, s.signed_hash AS statement, g.criterion AS criterion, g.passes AS passes,
       v.verdict AS verdict, v.finding_criteria AS finding_criteria, v.finding_statuses AS finding_statuses,
       v.log_index AS log_index
ORDER BY log_index
