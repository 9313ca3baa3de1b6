// The first receipts, returns and dispositions of each of these Context Packets that an agent signed, in log order.
// Its key was in force at that place of the log, and this reader may have the record.
UNWIND $hashes AS hash
MATCH (n:Packet {record_hash: hash})
CALL (n) {
  MATCH (n)<-[:ECHOES]-(r:PacketRecord)-[:RECORD_OF]->(d:Document)
  WHERE d.redacted IS NULL AND coalesce(d.boundary, 'public') IN $readable
  MATCH (k:Key {public_key: r.signed_by})<-[:HAS_KEY]-(:Agent)
  WHERE k.log_index < r.log_index AND (k.retired_at IS NULL OR r.log_index < k.retired_at)
    AND (k.not_trusted_since IS NULL OR r.log_index < k.not_trusted_since)
  RETURN DISTINCT r, d
  ORDER BY r.log_index, r.record_hash
  LIMIT $first
}
RETURN n.record_hash AS packet, r.record_hash AS record_hash, r.byte_length AS byte_length, d.boundary AS boundary,
       d.redacted AS redacted
ORDER BY r.log_index, r.record_hash
