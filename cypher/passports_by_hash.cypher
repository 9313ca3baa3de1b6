// Context Passports by the hash of their bytes, who may read them, and the agents and keys that they are proved to be of.
UNWIND $hashes AS hash
MATCH (n:Passport {record_hash: hash})-[:RECORD_OF]->(d:Document)
OPTIONAL MATCH (n)-[r:ATTRIBUTED_TO]->(a:Agent)-[:HAS_KEY]->(k:Key)
WHERE k.key_id = r.key_id
RETURN n.record_hash AS record_hash, n.log_index AS log_index, n.held AS held, n.byte_length AS byte_length,
       n.passport_id AS passport_id, n.schema_version AS schema_version, n.parent_id AS parent_id,
       n.trace_id AS trace_id, n.branch_key AS branch_key, n.agent_id AS agent_id, n.agent_name AS agent_name,
       n.role AS role, n.provider AS provider, n.model AS model, n.event_type AS event_type,
       n.to_agent_id AS to_agent_id, n.target AS target,
       n.event_time.epochSeconds * 1000000 + n.event_time.microsecond AS event_micros,
       n.fork_of AS fork_of, n.fork_point AS fork_point, n.lineage_root AS lineage_root,
       n.payload_hash AS payload_hash, n.parent_hash AS parent_hash, n.integrity_hash AS integrity_hash,
       n.profile AS profile, n.chaining AS chaining, n.signing AS signing, n.signed_by AS signed_by,
       d.boundary AS boundary, d.redacted AS redacted,
       a.agent_id AS proved_agent, k.key_id AS key_id, k.retired_at AS retired_at,
       k.not_trusted_since AS not_trusted_since
ORDER BY n.log_index
