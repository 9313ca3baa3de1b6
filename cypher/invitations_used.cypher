// Which of these invitations, named by their hashes, an agent has registered with.
UNWIND $hashes AS hash
MATCH (a:Agent {invitation_hash: hash})
RETURN a.invitation_hash AS invitation_hash, a.agent_id AS agent_id
