// The first documents that items of these packets are about, with the place of the packet, where it is readable.
UNWIND $names AS name
MATCH (p:Packet {record_hash: name})-[:RECORD_OF]->(b:Document)
MATCH (p)-[:HAS_ITEM]->(:Item)-[:ABOUT]->(d:Document)
WHERE p.log_index < $as_of AND b.boundary IN $readable
RETURN DISTINCT name AS parent, d.document_key AS name, d.doc_id AS id, p.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
