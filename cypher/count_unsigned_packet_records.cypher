// How many receipts, returns and dispositions of these Context Packets this reader may have, and no agent signed.
UNWIND $hashes AS hash
MATCH (n:Packet {record_hash: hash})<-[:ECHOES]-(r:PacketRecord)-[:RECORD_OF]->(d:Document)
WHERE d.redacted IS NULL AND coalesce(d.boundary, 'public') IN $readable
WITH DISTINCT r
OPTIONAL MATCH (k:Key {public_key: r.signed_by})<-[:HAS_KEY]-(:Agent)
WHERE k.log_index < r.log_index AND (k.retired_at IS NULL OR r.log_index < k.retired_at)
  AND (k.not_trusted_since IS NULL OR r.log_index < k.not_trusted_since)
WITH r, count(k) AS keys
WHERE keys = 0
RETURN count(r) AS number
