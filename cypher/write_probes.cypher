// Writes the commitments of probes.
UNWIND $rows AS row
CREATE (p:Probe {signed_hash: row.signed_hash})
SET p.probe_id = row.message_id, p.agent_id = row.agent_id, p.committed_at = datetime(row.at),
    p.commitments = row.commitments, p.key_id = row.key_id, p.log_index = row.log_index
