// The first Context Packets that these supersede and that count, in log order, without those that are known.
// Each row has a packet and the agents that stand behind it. What it supersedes counts where one of them has a part in
// it, and its own producer or governor stands behind it: by a key in force then, or by registering it as its producer.
UNWIND $rows AS row
MATCH (n:Packet {record_hash: row.record_hash})-[:SUPERSEDES]->(o:Packet)-[:RECORD_OF]->(d:Document)
WHERE NOT o.record_hash IN $known AND d.redacted IS NULL AND coalesce(d.boundary, 'public') IN $readable
  AND (o.producer_id IN row.speakers OR o.governor_id IN row.speakers OR o.recipient_id IN row.speakers
    OR any(name IN coalesce(o.promoters, []) WHERE name IN row.speakers)
    OR (o.governor_id = $node AND any(name IN $seeds WHERE name IN row.speakers)))
WITH DISTINCT o, d
OPTIONAL MATCH (k:Key {public_key: o.signed_by})<-[:HAS_KEY]-(s:Agent)
WHERE k.log_index < o.log_index AND (k.retired_at IS NULL OR o.log_index < k.retired_at)
  AND (k.not_trusted_since IS NULL OR o.log_index < k.not_trusted_since)
  AND (s.agent_id = o.producer_id OR s.agent_id = o.governor_id)
WITH o, d, count(s) AS signers
OPTIONAL MATCH (d)<-[g:REGISTERED]-(a:Agent)
WHERE a.agent_id = o.producer_id AND a.agent_id <> $node AND g.key_trusted
WITH o, d, signers, count(a) AS producers
WHERE signers + producers > 0
RETURN DISTINCT o.record_hash AS record_hash, o.packet_id AS packet_id, o.log_index AS log_index,
       o.byte_length AS byte_length, d.boundary AS boundary, d.redacted AS redacted
ORDER BY log_index, record_hash
LIMIT $first
