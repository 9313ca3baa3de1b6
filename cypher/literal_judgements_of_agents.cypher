// A2AP §6.3: each verdict of these agents, perhaps up to a place in the log only, with the consensus of its statement.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})<-[:PERFORMED_BY]-(v:Verification)-[:VALIDATES]->(s:Statement)
WHERE v.key_trusted AND NOT v.retracted AND ($up_to IS NULL OR v.log_index <= $up_to)
RETURN a.agent_id AS agent_id, v.verdict AS verdict, s.consensus_score AS consensus_score
