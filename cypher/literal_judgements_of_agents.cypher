// A2AP §6.3: each verdict of these agents with the consensus of its statement.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})-[v:VERIFIED]->(s:Statement)
RETURN a.agent_id AS agent_id, v.verdict AS verdict, s.consensus_score AS consensus_score
