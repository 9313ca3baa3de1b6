// How often each agent was right and wrong, and its reputation, page by page in order of id.
MATCH (a:Agent)
WHERE a.agent_id > $after
RETURN a.agent_id AS agent_id, a.verdicts_right AS verdicts_right, a.verdicts_wrong AS verdicts_wrong,
       a.reputation AS reputation
ORDER BY agent_id
LIMIT $first
