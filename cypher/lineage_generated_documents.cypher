// The bytes that these packs have as their outputs, with the place of the pack, before a log size.
UNWIND $names AS name
MATCH (p:Pack {record_hash: name})-[:GENERATED]->(d:Document)
WHERE p.log_index < $as_of
RETURN DISTINCT name AS parent, d.document_key AS name, d.doc_id AS id, p.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
