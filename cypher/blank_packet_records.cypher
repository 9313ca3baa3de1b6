// Takes away the properties of receipts, returns and dispositions whose bytes were erased: hash and place are left.
UNWIND $rows AS row
MATCH (n:PacketRecord {record_hash: row.record_hash})
SET n.held = false, n.byte_length = null, n.kind = null, n.record_id = null, n.at = null, n.by = null,
    n.packet_id = null, n.packet_hash = null, n.signed_by = null, n.event = null, n.observability_ref = null,
    n.outcome = null, n.result_state = null, n.return_id = null, n.proposal = null, n.outputs = null,
    n.proposals = null, n.proposal_ids = null
WITH n
MATCH (n)-[r:ECHOES|DISPOSES]-()
DELETE r
