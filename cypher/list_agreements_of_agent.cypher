// The pairs of an agent with others, the node's own apart, that validated the same statements, so many at least.
// Between two places of a list that begins with those of most statements, from one end of it.
UNWIND [$agent] AS id
MATCH (a:Agent {agent_id: id})-[:VERIFIED {verdict: 'VALIDATED'}]->(s:Statement)
MATCH (s)<-[:VERIFIED {verdict: 'VALIDATED'}]-(b:Agent)
WHERE b.agent_id <> id AND id <> $node AND b.agent_id <> $node
WITH CASE WHEN id < b.agent_id THEN id ELSE b.agent_id END AS agent,
     CASE WHEN id < b.agent_id THEN b.agent_id ELSE id END AS other, count(DISTINCT s) AS agreements
WITH agent, other, agreements, -agreements AS rank
WHERE agreements >= $least
  AND (rank > $low OR (rank = $low AND (agent > $low_agent OR (agent = $low_agent AND other > $low_other))))
  AND (rank < $high OR (rank = $high AND (agent < $high_agent OR (agent = $high_agent AND other < $high_other))))
RETURN agent AS agent, other AS other, agreements AS agreements, rank AS rank
ORDER BY rank * $sign, CASE WHEN $sign > 0 THEN agent END, CASE WHEN $sign < 0 THEN agent END DESC,
         CASE WHEN $sign > 0 THEN other END, CASE WHEN $sign < 0 THEN other END DESC
LIMIT $limit
