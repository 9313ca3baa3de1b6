// The first packets of these classes, in log order, with items about these statements, before a log size.
UNWIND $names AS name
MATCH (s:Statement {signed_hash: name})<-[:ABOUT]-(i:Item)<-[:HAS_ITEM]-(n:Packet)-[:RECORD_OF]->(b:Document)
WHERE n.log_index < $as_of AND b.boundary IN $readable
RETURN DISTINCT name AS parent, n.record_hash AS name, n.record_hash AS id, n.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
