// The operators that endorsed each of these agents, first endorsement first.
UNWIND $ids AS id
MATCH (operator:Agent)-[e:ENDORSED]->(:Agent {agent_id: id})
RETURN id AS agent_id, operator.agent_id AS operator, e.log_index AS log_index
ORDER BY e.log_index
