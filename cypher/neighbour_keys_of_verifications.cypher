// The registered keys that these verdicts are signed with, if they bind their statements, before a log size.
UNWIND $names AS name
MATCH (v:Verification {signed_hash: name})-[:PERFORMED_BY]->(:Agent)-[:HAS_KEY]->(k:Key)
WHERE k.key_id = v.key_id AND v.binds AND v.log_index < $as_of
RETURN DISTINCT name AS parent, k.key_id AS name, null AS id, k.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
