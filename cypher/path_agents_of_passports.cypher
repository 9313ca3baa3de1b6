// The agents that a key proves these passports to be of, before a log size.
UNWIND $names AS name
MATCH (p:Passport {record_hash: name})-[:ATTRIBUTED_TO]->(a:Agent)
WHERE p.log_index < $as_of
RETURN DISTINCT name AS parent, a.agent_id AS name, null AS id, a.log_index AS log_index
LIMIT $first
