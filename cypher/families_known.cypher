// Which of these families have a member, and how many confirmed ones.
UNWIND $ids AS id
MATCH (f:AgentFamily {family_id: id})
OPTIONAL MATCH (f)<-[m:SPECIALIZATION_OF {confirmed: true}]-(a:Agent)
RETURN f.family_id AS family, count(a) AS confirmed
