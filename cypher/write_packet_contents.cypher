// Writes the members of Context Packets, and the results of their hashes and of the check of them.
UNWIND $rows AS row
MATCH (n:Packet {record_hash: row.record_hash})
SET n.held = true, n.byte_length = row.byte_length, n.spec = row.spec, n.packet_id = row.packet_id,
    n.created_at = row.created_at, n.packet_type = row.packet_type, n.task_ref = row.task_ref,
    n.producer_id = row.producer_id, n.producer_type = row.producer_type, n.governor_id = row.governor_id,
    n.governor_mode = row.governor_mode, n.recipient_id = row.recipient_id, n.recipient_type = row.recipient_type,
    n.workspace = row.workspace, n.project = row.project, n.boundary_ceiling = row.boundary_ceiling,
    n.expires_at = row.expires_at, n.supersedes_packet = row.supersedes_packet,
    n.assembly_query_ref = row.assembly_query_ref, n.source_state_refs = row.source_state_refs,
    n.packet_hash = row.packet_hash, n.hash_domain = row.hash_domain, n.hash_stated = row.hash_stated,
    n.level = row.level, n.claimed_level = row.claimed_level, n.items = row.items, n.open_loops = row.open_loops,
    n.exclusions = row.exclusions, n.signed_by = row.signed_by, n.promoters = row.promoters
