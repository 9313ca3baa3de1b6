// Which of these families have a member.
UNWIND $ids AS id
MATCH (f:AgentFamily {family_id: id})
RETURN f.family_id AS family
