// Whose stated confidence runs ahead of what others make of their statements?
// statements: those of an agent that others have judged. confidence: the mean of what it stated for these.
// score: the mean of their consensus scores. ahead: confidence less score, from -1 to 1; below 0 it is too modest.
// verified: how many of them are verified. challenged: how many somebody has challenged.
// Only agents with three such statements or more: of fewer, a mean says nothing. A verdict counts where it binds, its
// key is trusted, it is not taken back and it is not the machine's. Whatever the agent has taken back is not counted.
// A score is drawn towards the prior while verdicts are few, so that few verdicts make anybody look bold.
MATCH (a:Agent)-[:GENERATED]->(s:Statement)<-[:VALIDATES]-(v:Verification)
WHERE v.binds AND v.key_trusted AND NOT v.retracted AND NOT v.machine AND NOT s.retracted
WITH a, s, max(CASE WHEN v.verdict = 'CHALLENGED' THEN 1 ELSE 0 END) AS disputed
WITH a, count(s) AS statements, avg(s.confidence) AS confidence, avg(s.consensus_score) AS score,
     sum(CASE WHEN s.verified THEN 1 ELSE 0 END) AS verified, sum(disputed) AS challenged
WHERE statements >= 3
RETURN a.agent_id AS agent, a.name AS agent_name, statements AS statements, confidence AS confidence, score AS score,
       confidence - score AS ahead, verified AS verified, challenged AS challenged
ORDER BY ahead DESC, agent
LIMIT 100
