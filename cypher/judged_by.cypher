// A page of the statements that an agent has judged with verdicts that count, oldest first, after a place in the log.
UNWIND [$agent] AS id
MATCH (a:Agent {agent_id: id})<-[:PERFORMED_BY]-(v:Verification)-[:VALIDATES]->(s:Statement)
WHERE s.log_index > $after AND v.binds AND v.key_trusted AND NOT v.retracted
RETURN DISTINCT s.signed_hash AS signed_hash, s.log_index AS log_index
ORDER BY log_index
LIMIT $first
