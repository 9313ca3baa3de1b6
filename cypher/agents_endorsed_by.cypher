// The agents that these agents have endorsed, with whichever key.
UNWIND $ids AS id
MATCH (:Agent {agent_id: id})-[:ENDORSED]->(a:Agent)
RETURN DISTINCT a.agent_id AS agent_id
ORDER BY agent_id
