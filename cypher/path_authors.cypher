// The agents whose statements these are, with the place of the statement, before a log size.
UNWIND $names AS name
MATCH (s:Statement {signed_hash: name})<-[:GENERATED]-(a:Agent)
WHERE s.log_index < $as_of
RETURN name AS parent, a.agent_id AS name, null AS id, a.log_index AS log_index
LIMIT $first
