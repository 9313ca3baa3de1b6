// The registered keys that prove the agents of these passports, before a log size.
UNWIND $names AS name
MATCH (p:Passport {record_hash: name})-[r:ATTRIBUTED_TO]->(:Agent)-[:HAS_KEY]->(k:Key)
WHERE k.key_id = r.key_id AND p.log_index < $as_of AND k.log_index < $as_of
RETURN DISTINCT name AS parent, k.key_id AS name, null AS id, k.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
