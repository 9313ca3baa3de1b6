// How often each agent was right and wrong, its reputation, and the family of a confirmed version, page by page by id.
MATCH (a:Agent)
WHERE a.agent_id > $after
WITH a ORDER BY a.agent_id LIMIT $first
OPTIONAL MATCH (a)-[m:SPECIALIZATION_OF {confirmed: true}]->(f:AgentFamily)
RETURN a.agent_id AS agent_id, a.verdicts_right AS verdicts_right, a.verdicts_wrong AS verdicts_wrong,
       a.reputation AS reputation, a.estimated_accuracy AS estimated_accuracy, f.family_id AS family
ORDER BY agent_id
