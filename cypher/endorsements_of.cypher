// The endorsements of these agents: who gave each, and in which message.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})<-[e:ENDORSED]-(operator:Agent)
RETURN a.agent_id AS agent_id, operator.agent_id AS operator, e.signed_hash AS signed_hash, e.log_index AS log_index
ORDER BY e.log_index
