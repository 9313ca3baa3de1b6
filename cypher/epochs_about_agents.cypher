// The complete epochs that estimate each of these agents between two places of the log, so many at most, from one end.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})
CALL (a) {
  MATCH (a)<-[:OF]-(r:Reliability)
  WITH r.log_size AS log_size, collect(r.reliability_key) AS keys
  MATCH (e:Epoch {log_size: log_size})
  WHERE e.last AND e.log_index > $start AND e.log_index < $end
  RETURN log_size, keys, e.log_index AS log_index
  ORDER BY log_index * $sign
  LIMIT $limit
}
RETURN a.agent_id AS agent, log_size AS log_size, keys AS keys, log_index AS log_index
ORDER BY log_index * $sign
