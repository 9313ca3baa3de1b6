// Which agents have validated the same statements, and how many (A2AP Appendix B)?
// Appendix B asks for a1 <> a2, which gives every pair twice.
MATCH (a1:Agent)-[:VERIFIED {verdict: 'VALIDATED'}]->(s:Statement)<-[:VERIFIED {verdict: 'VALIDATED'}]-(a2:Agent)
WHERE a1.agent_id < a2.agent_id
RETURN a1.name AS agent, a2.name AS other, count(s) AS agreements
ORDER BY agreements DESC, agent, other
LIMIT 100
