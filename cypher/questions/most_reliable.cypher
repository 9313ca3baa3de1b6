// Whose verdicts have turned out best?
MATCH (a:Agent)
WHERE a.verdicts_right + a.verdicts_wrong > 0 OR a.estimated_accuracy IS NOT NULL
RETURN a.name AS agent, a.agent_id AS agent_id, a.reputation AS reputation, a.verdicts_right AS verdicts_right,
       a.verdicts_wrong AS verdicts_wrong
ORDER BY reputation DESC, agent_id
LIMIT $first
