// The operators that endorsed each of these agents with a trusted key, first endorsement first.
UNWIND $ids AS id
MATCH (agent:Agent {agent_id: id})<-[e:ENDORSED]-(operator:Agent)
WHERE e.key_trusted
RETURN id AS agent_id, operator.agent_id AS operator, min(e.log_index) AS log_index
ORDER BY log_index
