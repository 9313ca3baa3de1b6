// The bytes that these packs used as prompts and inputs, with the place of the pack.
UNWIND $names AS name
MATCH (p:Pack {record_hash: name})-[:USED]->(d:Document)
WHERE p.log_index < $as_of
RETURN DISTINCT name AS parent, d.document_key AS name, d.doc_id AS id, p.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
