// The cached reputation of each of these agents, and the numbers behind it.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})
RETURN a.agent_id AS name, a.reputation AS reputation, a.verdicts_right AS verdicts_right,
       a.verdicts_wrong AS verdicts_wrong, a.estimated_accuracy AS estimated_accuracy
ORDER BY name
