// The statements of each of these agents between two places of the log, so many at most, from one end.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})
CALL (a) {
  MATCH (a)-[:GENERATED]->(s:Statement)
  WHERE s.log_index > $start AND s.log_index < $end
  RETURN s
  ORDER BY s.log_index * $sign
  LIMIT $limit
}
RETURN a.agent_id AS agent, s.signed_hash AS signed_hash, s.log_index AS log_index
ORDER BY log_index * $sign
