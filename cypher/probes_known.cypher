// The probes with these hashes of signed bytes: their commitments and where they stand.
UNWIND $hashes AS hash
MATCH (p:Probe {signed_hash: hash})
RETURN p.signed_hash AS signed_hash, p.agent_id AS agent_id, p.commitments AS commitments, p.log_index AS log_index
