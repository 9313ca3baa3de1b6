// Takes away the properties of Context Packets whose bytes were erased, and their items: hash and place are left.
UNWIND $rows AS row
MATCH (n:Packet {record_hash: row.record_hash})
SET n.held = false, n.byte_length = null, n.spec = null, n.packet_id = null, n.created_at = null,
    n.packet_type = null, n.task_ref = null, n.producer_id = null, n.producer_type = null, n.governor_id = null,
    n.governor_mode = null, n.recipient_id = null, n.recipient_type = null, n.workspace = null, n.project = null,
    n.boundary_ceiling = null, n.expires_at = null, n.supersedes_packet = null, n.assembly_query_ref = null,
    n.source_state_refs = null, n.packet_hash = null, n.hash_domain = null, n.hash_stated = null, n.level = null,
    n.claimed_level = null, n.items = null, n.open_loops = null, n.exclusions = null,
    n.signed_by = null, n.promoters = null
WITH n
OPTIONAL MATCH (n)-[r:SUPERSEDES|ECHOES]-()
DELETE r
WITH DISTINCT n
MATCH (n)-[:HAS_ITEM]->(i:Item)
DETACH DELETE i
