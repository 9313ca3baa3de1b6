// The first Context Packets that these supersede and that may count, in log order, with the agents that vouch for each.
// Each row has a packet and the agents that stand behind it. What it supersedes may count where one of these has a part
// in it, and its own producer or governor vouches for it: by a key in force then, or by registering it as its producer.
UNWIND $rows AS row
MATCH (n:Packet {record_hash: row.record_hash})-[:SUPERSEDES]->(o:Packet)-[:RECORD_OF]->(d:Document)
WHERE d.redacted IS NULL AND coalesce(d.boundary, 'public') IN $readable
  AND (o.producer_id IN row.speakers OR o.governor_id IN row.speakers OR o.recipient_id IN row.speakers
    OR any(name IN coalesce(o.promoters, []) WHERE name IN row.speakers)
    OR (o.governor_id = $node AND any(name IN $seeds WHERE name IN row.speakers)))
WITH DISTINCT n, o, d
OPTIONAL MATCH (k:Key {public_key: o.signed_by})<-[:HAS_KEY]-(s:Agent)
WHERE k.log_index < o.log_index AND (k.retired_at IS NULL OR o.log_index < k.retired_at)
  AND (k.not_trusted_since IS NULL OR o.log_index < k.not_trusted_since)
  AND (s.agent_id = o.producer_id OR s.agent_id = o.governor_id)
WITH n, o, d, collect(DISTINCT s.agent_id) AS signers
OPTIONAL MATCH (d)<-[g:REGISTERED]-(a:Agent)
WHERE a.agent_id = o.producer_id AND a.agent_id <> $node AND g.key_trusted
WITH n, o, d, signers, collect(DISTINCT a.agent_id) AS producers
WHERE size(signers) + size(producers) > 0
RETURN n.record_hash AS following, o.record_hash AS record_hash, o.packet_id AS packet_id, o.log_index AS log_index,
       o.byte_length AS byte_length, d.boundary AS boundary, d.redacted AS redacted, signers + producers AS vouchers
ORDER BY log_index, record_hash, following
LIMIT $first
