// The latest statements of each of these agents before a place in the log, newest first.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})
CALL (a) {
  MATCH (a)-[:GENERATED]->(s:Statement)
  WHERE s.log_index < $before
  RETURN s
  ORDER BY s.log_index DESC
  LIMIT $first
}
RETURN a.agent_id AS agent, s.signed_hash AS signed_hash
ORDER BY s.log_index DESC
