// Takes away the properties of Context Passports whose bytes were erased: hash and place in the log are left.
UNWIND $rows AS row
MATCH (n:Passport {record_hash: row.record_hash})
SET n.held = false, n.byte_length = null, n.passport_id = null, n.schema_version = null, n.parent_id = null,
    n.trace_id = null, n.branch_key = null, n.agent_id = null, n.agent_name = null, n.role = null,
    n.provider = null, n.model = null, n.event_type = null, n.to_agent_id = null, n.event_time = null,
    n.target = null, n.fork_of = null, n.fork_point = null, n.lineage_root = null, n.payload_hash = null,
    n.parent_hash = null, n.integrity_hash = null, n.merged_parents = null, n.merges = null, n.profile = null,
    n.chaining = null, n.signing = null, n.signed_by = null
WITH n
MATCH (n)-[r:DERIVED_FROM|ATTRIBUTED_TO]-()
DELETE r
