// A2AP §6.3: the verdicts of each of these agents between two places of the log, and whether they were accurate.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})
CALL (a) {
  MATCH (a)<-[:PERFORMED_BY]-(v:Verification)-[:VALIDATES]->(s:Statement)
  WHERE v.log_index > $start AND v.log_index < $end AND v.key_trusted AND NOT v.retracted
  RETURN v, s
  ORDER BY v.log_index * $sign
  LIMIT $limit
}
RETURN a.agent_id AS agent, v.signed_hash AS signed_hash, v.log_index AS log_index,
       CASE WHEN v.verdict = 'VALIDATED' AND coalesce(s.consensus_score, 0.0) >= 0.8
            THEN 'RIGHT' ELSE 'WRONG' END AS label
ORDER BY log_index * $sign
