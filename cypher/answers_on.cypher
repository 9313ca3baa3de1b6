// The verdicts that stand on these statements and may answer requests: of these $agents, and of who is endorsed by $seeds.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:VALIDATES]-(v:Verification)-[:PERFORMED_BY]->(a:Agent)
WHERE NOT v.machine AND NOT v.retracted AND v.key_trusted AND (a.agent_id IN $agents OR EXISTS {
  MATCH (operator:Agent)-[e:ENDORSED]->(a)
  WHERE e.key_trusted AND operator.agent_id IN $seeds
})
RETURN hash AS statement, a.agent_id AS agent_id, v.log_index AS log_index, v.request_hash AS request_hash,
       v.received_at.epochSeconds * 1000000 + v.received_at.microsecond AS received_micros,
       v.finding_criteria AS criteria, v.binds AS binds
ORDER BY log_index
