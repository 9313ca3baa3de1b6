// The statements that these say they contradict, before a log size.
UNWIND $names AS name
MATCH (s:Statement {signed_hash: name})-[:CONTRADICTS]->(t:Statement)
WHERE s.log_index < $as_of AND t.log_index < $as_of
RETURN name AS parent, t.signed_hash AS name, t.statement_id AS id, t.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
