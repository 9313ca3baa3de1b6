// The first statements in log order that these say they support, if the supporting one is before a log size.
UNWIND $names AS name
MATCH (s:Statement {signed_hash: name})-[:SUPPORTS]->(t:Statement)
WHERE s.log_index < $as_of
RETURN name AS parent, t.signed_hash AS name, t.statement_id AS id, t.log_index AS log_index
ORDER BY log_index
LIMIT $first
