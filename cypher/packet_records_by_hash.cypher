// Receipts, returns and dispositions by the hash of their bytes: kind, time, and whose key, in force then, signed.
UNWIND $hashes AS hash
MATCH (r:PacketRecord {record_hash: hash})
OPTIONAL MATCH (k:Key {public_key: r.signed_by})<-[:HAS_KEY]-(a:Agent)
WHERE k.log_index < r.log_index AND (k.retired_at IS NULL OR r.log_index < k.retired_at)
  AND (k.not_trusted_since IS NULL OR r.log_index < k.not_trusted_since)
WITH r, collect(DISTINCT a.agent_id) AS signers
RETURN r.record_hash AS record_hash, r.kind AS kind, r.event AS event, r.at AS at, signers AS signers
ORDER BY r.log_index
