// The first Context Packets that these supersede or that supersede them, in log order, without those that are known.
// Only what this reader may see counts, and only where a key that was in force for a registered agent when it came
// signed it, or the agent that it names as its producer registered it. What the node registers comes from nobody.
UNWIND $hashes AS hash
MATCH (n:Packet {record_hash: hash})-[:SUPERSEDES]-(o:Packet)
MATCH (o)-[:RECORD_OF]->(d:Document)
WHERE NOT o.record_hash IN $known AND d.redacted IS NULL AND coalesce(d.boundary, 'public') IN $readable
WITH DISTINCT o, d
OPTIONAL MATCH (k:Key {public_key: o.signed_by})<-[:HAS_KEY]-(:Agent)
WHERE k.log_index < o.log_index AND (k.retired_at IS NULL OR o.log_index < k.retired_at)
  AND (k.not_trusted_since IS NULL OR o.log_index < k.not_trusted_since)
WITH o, d, count(k) AS keys
OPTIONAL MATCH (d)<-[g:REGISTERED]-(a:Agent)
WHERE a.agent_id = o.producer_id AND a.agent_id <> $node AND g.key_trusted
WITH o, d, keys, count(a) AS producers
WHERE keys + producers > 0
RETURN o.record_hash AS record_hash, o.packet_id AS packet_id, o.log_index AS log_index,
       o.byte_length AS byte_length, d.boundary AS boundary, d.redacted AS redacted
ORDER BY o.log_index, o.record_hash
LIMIT $first
