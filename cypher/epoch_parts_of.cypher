// The parts of an epoch that have an estimate of one of these agents, and its last part, in order.
MATCH (e:Epoch {log_size: $log_size})
WHERE e.last OR EXISTS { MATCH (r:Reliability) WHERE r.log_index = e.log_index AND r.agent_id IN $ids }
RETURN e.signed_hash AS signed_hash
ORDER BY e.log_index
