// The facts that tell whether two verifiers are one model: the family of a confirmed version, name and publisher.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})
OPTIONAL MATCH (a)-[m:SPECIALIZATION_OF {confirmed: true}]->(f:AgentFamily)
RETURN a.agent_id AS agent_id, a.name AS name, a.publisher AS publisher, f.family_id AS family
