// Every verdict on these statements with the facts on which its weight depends: verifier, operators, findings.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:GENERATED]-(author:Agent)
MATCH (v:Verification)-[:VALIDATES]->(s)
MATCH (v)-[:PERFORMED_BY]->(a:Agent)
RETURN s.signed_hash AS statement, s.machine_check AS machine_check, s.key_trusted AS author_trusted,
       s.retracted AS statement_retracted, s.superseded_by AS superseded_by,
       s.conflicted AS conflicted, s.probe_passes AS probe_passes, author.agent_id AS author,
       v.signed_hash AS verification, v.verdict AS verdict, v.confidence AS confidence,
       v.log_index AS log_index, v.received_at.epochSeconds * 1000000 + v.received_at.microsecond AS received_micros,
       v.binds AS binds, v.machine AS machine, v.label AS label,
       v.key_trusted AS key_trusted, v.retracted AS retracted,
       v.finding_criteria AS finding_criteria, v.finding_statuses AS finding_statuses,
       v.finding_confidences AS finding_confidences,
       a.agent_id AS verifier, a.reputation AS reputation
ORDER BY v.log_index
