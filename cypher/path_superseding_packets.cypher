// The packets that say they supersede these, both readable, before a log size.
UNWIND $names AS name
MATCH (p:Packet {record_hash: name})-[:RECORD_OF]->(e:Document)
MATCH (p)<-[:SUPERSEDES]-(n:Packet)-[:RECORD_OF]->(b:Document)
WHERE n.log_index < $as_of AND b.boundary IN $readable AND e.boundary IN $readable
RETURN name AS parent, n.record_hash AS name, n.record_hash AS id, n.log_index AS log_index
LIMIT $first
