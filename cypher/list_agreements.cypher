// The pairs of agents, the node's own apart, that validated the same statements, most statements first (Appendix B).
MATCH (a:Agent)-[:VERIFIED {verdict: 'VALIDATED'}]->(s:Statement)<-[:VERIFIED {verdict: 'VALIDATED'}]-(b:Agent)
WHERE a.agent_id < b.agent_id AND a.agent_id <> $node AND b.agent_id <> $node
RETURN a.agent_id AS agent, b.agent_id AS other, count(DISTINCT s) AS agreements
ORDER BY agreements DESC, agent, other
LIMIT $first
