// How often each of these agents was right and wrong where that is known, and the family of a confirmed version.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})
OPTIONAL MATCH (a)-[m:SPECIALIZATION_OF {confirmed: true}]->(f:AgentFamily)
RETURN a.agent_id AS agent_id, a.verdicts_right AS verdicts_right, a.verdicts_wrong AS verdicts_wrong,
       a.estimated_accuracy AS estimated_accuracy, f.family_id AS family
