// The newest statements of the agent with an id, or, with $begins, of those whose ids begin so.
// With $min_score only verified statements that score at least that.
MATCH (a:Agent)
WHERE a.agent_id = $agent OR ($begins AND a.agent_id STARTS WITH $agent)
MATCH (a)-[:GENERATED]->(s:Statement)
WHERE (s.probe_passes IS NULL OR s.probe_passes)
  AND ($min_score IS NULL OR (s.verified = true AND s.consensus_score >= $min_score))
RETURN s.signed_hash AS signed_hash, s.log_index AS log_index
ORDER BY log_index DESC
LIMIT $first
