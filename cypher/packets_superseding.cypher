// The Context Packets that these supersede and those that supersede them, each once.
UNWIND $hashes AS hash
MATCH (n:Packet {record_hash: hash})-[:SUPERSEDES]-(o:Packet)
MATCH (o)-[:RECORD_OF]->(d:Document)
RETURN DISTINCT o.record_hash AS record_hash, o.packet_id AS packet_id, o.log_index AS log_index,
       o.byte_length AS byte_length, d.boundary AS boundary, d.redacted AS redacted
ORDER BY o.log_index, o.record_hash
LIMIT $first
