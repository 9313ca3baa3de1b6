// The parts of an epoch that have an estimate or a record of one of these agents, and its last part, in order.
MATCH (e:Epoch {log_size: $log_size})
WHERE e.last OR EXISTS { MATCH (r:Reliability) WHERE r.log_index = e.log_index AND r.agent_id IN $ids }
  OR EXISTS { MATCH (o:OperatorRecord) WHERE o.log_index = e.log_index AND o.operator IN $ids }
RETURN e.signed_hash AS signed_hash
ORDER BY e.log_index
