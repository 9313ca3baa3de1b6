// Writes the members of receipts, returns and dispositions of packets, and whose key signed them.
UNWIND $rows AS row
MATCH (n:PacketRecord {record_hash: row.record_hash})
SET n.held = true, n.byte_length = row.byte_length, n.kind = row.kind, n.record_id = row.record_id, n.at = row.at,
    n.by = row.by, n.packet_id = row.packet_id, n.packet_hash = row.packet_hash, n.signed_by = row.signed_by,
    n.event = row.event, n.observability_ref = row.observability_ref, n.outcome = row.outcome,
    n.result_state = row.result_state, n.return_id = row.return_id, n.proposal = row.proposal,
    n.outputs = row.outputs, n.proposals = row.proposals, n.proposal_ids = row.proposal_ids
