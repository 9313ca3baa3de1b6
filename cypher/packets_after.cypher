// The first Context Packets that supersede these and count, in log order, without those that are known.
// Only what this reader may see counts, and only where an agent with a part in what is superseded stands behind it: its
// key, in force then, signed it, or it is named as its producer and registered it. What the node registers itself comes
// from nobody. $seeds are the agents that stand for the node where it is the governor.
UNWIND $hashes AS hash
MATCH (n:Packet {record_hash: hash})<-[:SUPERSEDES]-(o:Packet)-[:RECORD_OF]->(d:Document)
WHERE NOT o.record_hash IN $known AND d.redacted IS NULL AND coalesce(d.boundary, 'public') IN $readable
WITH DISTINCT n, o, d
OPTIONAL MATCH (k:Key {public_key: o.signed_by})<-[:HAS_KEY]-(s:Agent)
WHERE k.log_index < o.log_index AND (k.retired_at IS NULL OR o.log_index < k.retired_at)
  AND (k.not_trusted_since IS NULL OR o.log_index < k.not_trusted_since)
  AND (s.agent_id = n.producer_id OR s.agent_id = n.governor_id OR s.agent_id = n.recipient_id
    OR s.agent_id IN coalesce(n.promoters, []) OR (n.governor_id = $node AND s.agent_id IN $seeds))
WITH n, o, d, count(s) AS signers
OPTIONAL MATCH (d)<-[g:REGISTERED]-(a:Agent)
WHERE a.agent_id = o.producer_id AND a.agent_id <> $node AND g.key_trusted
  AND (a.agent_id = n.producer_id OR a.agent_id = n.governor_id OR a.agent_id = n.recipient_id
    OR a.agent_id IN coalesce(n.promoters, []) OR (n.governor_id = $node AND a.agent_id IN $seeds))
WITH o, d, signers, count(a) AS producers
WHERE signers + producers > 0
RETURN DISTINCT o.record_hash AS record_hash, o.packet_id AS packet_id, o.log_index AS log_index,
       o.byte_length AS byte_length, d.boundary AS boundary, d.redacted AS redacted
ORDER BY log_index, record_hash
LIMIT $first
