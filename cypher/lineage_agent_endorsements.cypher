// The agents that these agents vouched for, before a log size, first endorsement first.
UNWIND $names AS name
MATCH (a:Agent {agent_id: name})-[e:ENDORSED]->(b:Agent)
WHERE e.log_index < $as_of
RETURN name AS parent, b.agent_id AS name, e.endorsement_id AS id, e.log_index AS log_index
ORDER BY log_index
LIMIT $first
