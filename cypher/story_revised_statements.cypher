// The statements that these say they revise.
UNWIND $names AS name
MATCH (s:Statement {signed_hash: name})-[:REVISION_OF]->(t:Statement)
WHERE t.log_index < $as_of
RETURN name AS parent, t.signed_hash AS name, t.statement_id AS id, t.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
