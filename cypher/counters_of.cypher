// How often each of these agents was right and wrong where that is known.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})
RETURN a.agent_id AS agent_id, a.verdicts_right AS verdicts_right, a.verdicts_wrong AS verdicts_wrong
