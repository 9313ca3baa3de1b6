// The judged statements that an agent wrote or verified: those whose scores depend on who endorsed it.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})-[:GENERATED|VERIFIED]->(s:Statement)
RETURN DISTINCT s.signed_hash AS signed_hash
ORDER BY signed_hash
