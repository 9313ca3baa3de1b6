// How many receipts, returns and dispositions of these Context Packets that this reader may have do not count.
// No agent signed them with a key in force then, or only agents that have no part in the packet.
UNWIND $hashes AS hash
MATCH (n:Packet {record_hash: hash})<-[:ECHOES]-(r:PacketRecord)-[:RECORD_OF]->(d:Document)
WHERE d.redacted IS NULL AND coalesce(d.boundary, 'public') IN $readable
WITH DISTINCT n, r
OPTIONAL MATCH (k:Key {public_key: r.signed_by})<-[:HAS_KEY]-(a:Agent)
WHERE k.log_index < r.log_index AND (k.retired_at IS NULL OR r.log_index < k.retired_at)
  AND (k.not_trusted_since IS NULL OR r.log_index < k.not_trusted_since)
WITH r, count(a) AS signers,
     sum(CASE WHEN a.agent_id = n.producer_id OR a.agent_id = n.governor_id OR a.agent_id = n.recipient_id
                OR a.agent_id IN coalesce(n.promoters, []) OR (n.governor_id = $node AND a.agent_id IN $seeds)
              THEN 1 ELSE 0 END) AS parts
RETURN sum(CASE WHEN signers = 0 THEN 1 ELSE 0 END) AS unsigned,
       sum(CASE WHEN signers > 0 AND parts = 0 THEN 1 ELSE 0 END) AS without_part
