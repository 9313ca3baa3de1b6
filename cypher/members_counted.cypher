// How often the confirmed versions of these families were right and wrong.
UNWIND $families AS id
MATCH (f:AgentFamily {family_id: id})<-[m:SPECIALIZATION_OF]-(a:Agent)
WHERE m.confirmed
RETURN f.family_id AS family, a.agent_id AS agent_id, a.verdicts_right AS verdicts_right,
       a.verdicts_wrong AS verdicts_wrong, a.estimated_accuracy AS estimated_accuracy
ORDER BY agent_id
