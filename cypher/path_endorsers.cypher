// The agents that vouched for these agents, before a log size.
UNWIND $names AS name
MATCH (b:Agent {agent_id: name})<-[e:ENDORSED]-(a:Agent)
WHERE e.log_index < $as_of
RETURN DISTINCT name AS parent, a.agent_id AS name, null AS id, a.log_index AS log_index
LIMIT $first
