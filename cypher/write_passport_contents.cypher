// Writes the members of Context Passports, and those of them that their hashes and signatures show.
UNWIND $rows AS row
MATCH (n:Passport {record_hash: row.record_hash})
SET n.held = true, n.byte_length = row.byte_length, n.passport_id = row.passport_id,
    n.schema_version = row.schema_version, n.parent_id = row.parent_id, n.trace_id = row.trace_id,
    n.branch_key = row.branch_key, n.agent_id = row.agent_id, n.agent_name = row.agent_name, n.role = row.role,
    n.provider = row.provider, n.model = row.model, n.event_type = row.event_type, n.to_agent_id = row.to_agent_id,
    n.event_time = datetime(row.event_time), n.target = row.target, n.fork_of = row.fork_of,
    n.fork_point = row.fork_point, n.lineage_root = row.lineage_root, n.payload_hash = row.payload_hash,
    n.parent_hash = row.parent_hash, n.integrity_hash = row.integrity_hash, n.merged_parents = row.merged_parents,
    n.merges = row.merges, n.profile = row.profile, n.chaining = row.chaining, n.signing = row.signing,
    n.signed_by = row.signed_by
