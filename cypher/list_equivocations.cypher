// The proofs that logs have contradicted themselves, newest first.
MATCH (e:Equivocation)
RETURN e.origin AS origin, e.checkpoints AS checkpoints, e.consistency_proof AS consistency_proof,
       e.reporting_agent AS reporting_agent, e.signed_hash AS signed_hash, e.log_index AS log_index
ORDER BY e.log_index DESC
LIMIT $first
