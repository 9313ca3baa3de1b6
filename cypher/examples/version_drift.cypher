// On which statements do two versions of an agent conclude otherwise, each by its last verdict?
MATCH (a:Agent {agent_id: $one})<-[:PERFORMED_BY]-(v:Verification)-[:VALIDATES]->(s:Statement)
WHERE v.binds AND v.key_trusted AND NOT v.retracted
WITH s, max(v.log_index) AS last
MATCH (s)<-[:VALIDATES]-(v:Verification {log_index: last})
MATCH (b:Agent {agent_id: $other})<-[:PERFORMED_BY]-(w:Verification)-[:VALIDATES]->(s)
WHERE w.binds AND w.key_trusted AND NOT w.retracted
WITH s, v, max(w.log_index) AS last
MATCH (s)<-[:VALIDATES]-(w:Verification {log_index: last})
WHERE v.verdict <> w.verdict
RETURN s.statement_id AS statement_id, s.claim_text AS claim, v.verdict AS one, w.verdict AS other,
       s.consensus_score AS consensus_score
ORDER BY s.log_index
LIMIT 100
