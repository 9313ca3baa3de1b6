// The packets that these records echo, and the returns that they dispose of, of these classes and before a log size.
UNWIND $hashes AS hash
MATCH (r:PacketRecord {record_hash: hash})-[e:ECHOES|DISPOSES]->(t)-[:RECORD_OF]->(b:Document)
WHERE t.log_index < $size AND b.boundary IN $readable
RETURN r.record_hash AS record_hash, type(e) AS relation, t.record_hash AS about
ORDER BY record_hash, relation, about
