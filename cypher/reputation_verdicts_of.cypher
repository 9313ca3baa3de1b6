// The verdicts of each of these agents that turned out right or wrong, between two places of the log, from one end.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})
CALL (a) {
  MATCH (a)<-[:PERFORMED_BY]-(v:Verification)
  WHERE v.log_index > $start AND v.log_index < $end AND v.label IS NOT NULL
  RETURN v
  ORDER BY v.log_index * $sign
  LIMIT $limit
}
RETURN a.agent_id AS agent, v.signed_hash AS signed_hash, v.label AS label, v.log_index AS log_index
ORDER BY log_index * $sign
