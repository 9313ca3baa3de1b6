// The agents that stand behind these Context Packets: those whose key, in force then, signed one, and its producer.
// The producer stands behind it where it registered it itself. A packet that the node registers comes from nobody.
UNWIND $hashes AS hash
MATCH (n:Packet {record_hash: hash})
OPTIONAL MATCH (k:Key {public_key: n.signed_by})<-[:HAS_KEY]-(s:Agent)
WHERE k.log_index < n.log_index AND (k.retired_at IS NULL OR n.log_index < k.retired_at)
  AND (k.not_trusted_since IS NULL OR n.log_index < k.not_trusted_since)
WITH n, collect(DISTINCT {agent: s.agent_id, person: s.person}) AS signers
OPTIONAL MATCH (n)-[:RECORD_OF]->(:Document)<-[g:REGISTERED]-(a:Agent)
WHERE a.agent_id = n.producer_id AND a.agent_id <> $node AND g.key_trusted
RETURN n.record_hash AS record_hash, n.signed_by AS signed_by, signers AS signers,
       collect(DISTINCT {agent: a.agent_id, person: a.person}) AS producers
ORDER BY record_hash
