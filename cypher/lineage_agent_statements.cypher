// The first statements in log order of these agents, before a log size.
UNWIND $names AS name
MATCH (a:Agent {agent_id: name})-[:GENERATED]->(s:Statement)
WHERE s.log_index < $as_of
RETURN name AS parent, s.signed_hash AS name, s.statement_id AS id, s.log_index AS log_index
ORDER BY log_index
LIMIT $first
