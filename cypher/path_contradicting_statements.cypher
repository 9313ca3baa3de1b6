// The statements that say they contradict these, before a log size.
UNWIND $names AS name
MATCH (t:Statement {signed_hash: name})<-[:CONTRADICTS]-(s:Statement)
WHERE s.log_index < $as_of AND t.log_index < $as_of
RETURN name AS parent, s.signed_hash AS name, s.statement_id AS id, s.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
