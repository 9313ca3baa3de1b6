// The statements that these verdicts are about.
UNWIND $names AS name
MATCH (v:Verification {signed_hash: name})-[:VALIDATES]->(s:Statement)
WHERE v.log_index < $as_of
RETURN name AS parent, s.signed_hash AS name, s.statement_id AS id, s.log_index AS log_index
ORDER BY log_index
LIMIT $first
