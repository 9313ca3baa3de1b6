// A page of these agents' answers to probes before the operator said anything of them, by place in the log.
UNWIND $ids AS id
MATCH (v:Verification {probed_verifier: id})-[:VALIDATES]->(s:Statement)<-[:GENERATED]-(author:Agent)
WHERE v.log_index > $after
RETURN id AS verifier, author.agent_id AS author, s.signed_hash AS statement, v.verdict AS verdict,
       v.finding_criteria AS finding_criteria, v.finding_statuses AS finding_statuses, v.log_index AS log_index
ORDER BY log_index
LIMIT $first
