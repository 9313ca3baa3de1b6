// The first receipts, returns and dispositions of each of these Context Packets, in log order.
// `signers` are the agents whose key, in force at that place in the log, signed them.
UNWIND $hashes AS hash
MATCH (n:Packet {record_hash: hash})
CALL (n) {
  MATCH (n)<-[:ECHOES]-(r:PacketRecord)
  RETURN r
  ORDER BY r.log_index, r.record_hash
  LIMIT $first
}
MATCH (r)-[:RECORD_OF]->(d:Document)
OPTIONAL MATCH (r)-[:DISPOSES]->(t:PacketRecord)
OPTIONAL MATCH (k:Key {public_key: r.signed_by})<-[:HAS_KEY]-(a:Agent)
WHERE k.log_index < r.log_index AND (k.retired_at IS NULL OR r.log_index < k.retired_at)
  AND (k.not_trusted_since IS NULL OR r.log_index < k.not_trusted_since)
WITH n, r, d, collect(DISTINCT t.record_hash) AS disposed, collect(DISTINCT a.agent_id) AS signers
RETURN n.record_hash AS packet, properties(r) AS properties, d.boundary AS boundary, d.redacted AS redacted,
       disposed AS disposed, signers AS signers
ORDER BY r.log_index, r.record_hash
