// The first statements that items of these packets are about, where these are readable.
UNWIND $names AS name
MATCH (p:Packet {record_hash: name})-[:RECORD_OF]->(b:Document)
MATCH (p)-[:HAS_ITEM]->(:Item)-[:ABOUT]->(s:Statement)
WHERE s.log_index < $as_of AND b.boundary IN $readable
RETURN DISTINCT name AS parent, s.signed_hash AS name, s.statement_id AS id, s.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
