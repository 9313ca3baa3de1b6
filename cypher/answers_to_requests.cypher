// The verdicts that stand on the statements of these requests, with what says whether they answer the request.
UNWIND $hashes AS hash
MATCH (r:VerificationRequest {signed_hash: hash})-[:TARGETS]->(s:Statement)
MATCH (s)<-[:VALIDATES]-(v:Verification)-[:PERFORMED_BY]->(a:Agent)
WHERE NOT v.machine AND NOT v.retracted AND v.key_trusted
RETURN hash AS request, a.agent_id AS agent_id, v.log_index AS log_index, v.request_hash AS request_hash,
       v.finding_criteria AS criteria, v.binds AS binds
ORDER BY v.log_index
