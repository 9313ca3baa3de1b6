// Which of these agents are registered, and the hash of each registration.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})
RETURN a.agent_id AS agent_id, a.registration_hash AS registration_hash
