// The agents that these keys vouched for, before a log size, first endorsement first.
UNWIND $names AS name
MATCH (k:Key {key_id: name})<-[:HAS_KEY]-(:Agent)-[e:ENDORSED {key_id: name}]->(a:Agent)
WHERE e.log_index < $as_of
RETURN name AS parent, a.agent_id AS name, e.endorsement_id AS id, e.log_index AS log_index
ORDER BY log_index
LIMIT $first
