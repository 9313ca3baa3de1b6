// Receipts, returns and dispositions of these Context Packets that a reader may have, between two places of the log.
// From one end; `signers` are the agents whose key, in force at that place in the log, signed them.
UNWIND $hashes AS hash
MATCH (n:Packet {record_hash: hash})
CALL (n) {
  MATCH (n)<-[:ECHOES]-(r:PacketRecord)-[:RECORD_OF]->(d:Document)
  WHERE r.log_index > $start AND r.log_index < $end
    AND d.redacted IS NULL AND coalesce(d.boundary, 'public') IN $readable
  RETURN r, d
  ORDER BY r.log_index * $sign
  LIMIT $limit
}
OPTIONAL MATCH (r)-[:DISPOSES]->(t:PacketRecord)-[:RECORD_OF]->(b:Document)
WHERE b.redacted IS NULL AND coalesce(b.boundary, 'public') IN $readable
OPTIONAL MATCH (k:Key {public_key: r.signed_by})<-[:HAS_KEY]-(a:Agent)
WHERE k.log_index < r.log_index AND (k.retired_at IS NULL OR r.log_index < k.retired_at)
  AND (k.not_trusted_since IS NULL OR r.log_index < k.not_trusted_since)
WITH n, r, d, collect(DISTINCT t.record_hash) AS disposed, collect(DISTINCT a.agent_id) AS signers
RETURN n.record_hash AS packet, properties(r) AS properties, d.boundary AS boundary, r.log_index AS log_index,
       disposed AS disposed, signers AS signers
ORDER BY log_index * $sign
