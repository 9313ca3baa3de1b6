// Notes whose answers to revealed probes these verdicts are: those before the operator's first word on the statement.
UNWIND $rows AS row
MATCH (g:GoldLabel {target_hash: row.signed_hash})
WHERE g.own
WITH row.signed_hash AS hash, row.probe AS probe, min(g.log_index) AS known_at
MATCH (s:Statement {signed_hash: hash})<-[:VALIDATES]-(v:Verification)-[:PERFORMED_BY]->(a:Agent)
SET v.probed_verifier =
      CASE WHEN probe AND v.binds AND NOT v.machine AND v.log_index < known_at THEN a.agent_id ELSE null END
