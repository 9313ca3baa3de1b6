// The first receipts, returns and dispositions of each of these Context Packets from an agent with a part in it.
// Its key was in force at that place of the log, and this reader may have the record. $seeds are the agents that stand
// for the node where it is the governor.
UNWIND $hashes AS hash
MATCH (n:Packet {record_hash: hash})
CALL (n) {
  MATCH (n)<-[:ECHOES]-(r:PacketRecord)-[:RECORD_OF]->(d:Document)
  WHERE d.redacted IS NULL AND coalesce(d.boundary, 'public') IN $readable
  MATCH (k:Key {public_key: r.signed_by})<-[:HAS_KEY]-(a:Agent)
  WHERE k.log_index < r.log_index AND (k.retired_at IS NULL OR r.log_index < k.retired_at)
    AND (k.not_trusted_since IS NULL OR r.log_index < k.not_trusted_since)
    AND (a.agent_id = n.producer_id OR a.agent_id = n.governor_id OR a.agent_id = n.recipient_id
      OR a.agent_id IN coalesce(n.promoters, []) OR (n.governor_id = $node AND a.agent_id IN $seeds))
  RETURN DISTINCT r, d, a
  ORDER BY r.log_index, r.record_hash
  LIMIT $first
}
RETURN n.record_hash AS packet, r.record_hash AS record_hash, r.byte_length AS byte_length, r.signed_by AS signed_by,
       a.agent_id AS agent_id, a.person AS person, d.boundary AS boundary, d.redacted AS redacted,
       r.log_index AS log_index
ORDER BY log_index, record_hash
