// Writes the proofs that a log has contradicted itself.
UNWIND $rows AS row
CREATE (e:Equivocation {signed_hash: row.signed_hash})
SET e.equivocation_id = row.equivocation_id, e.origin = row.origin, e.reported_at = datetime(row.reported_at),
    e.reporting_agent = row.reporting_agent, e.checkpoints = row.checkpoints,
    e.consistency_proof = row.consistency_proof, e.log_index = row.log_index
