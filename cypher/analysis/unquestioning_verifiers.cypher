// Which verifiers have never challenged anything, and how often did another challenge what they validated?
// statements: those that the agent has judged. contested: those of them that another agent has challenged.
// unverified: those of them that are not verified. confidence: the mean confidence of its verdicts.
// Only agents with three statements or more, of which none got another verdict from them than VALIDATED. A verdict
// counts where it binds, its key is trusted, it is not taken back and it is not the machine's. To agree is no fault
// where the statements are good: contested is what tells. The 100 with most statements are shown.
MATCH (a:Agent)<-[:PERFORMED_BY]-(v:Verification)-[:VALIDATES]->(s:Statement)
WHERE v.binds AND v.key_trusted AND NOT v.retracted AND NOT v.machine
WITH a, s, avg(v.confidence) AS sure, max(CASE WHEN v.verdict = 'VALIDATED' THEN 0 ELSE 1 END) AS other
WITH a, s, sure, other
OPTIONAL MATCH (s)<-[c:CHALLENGED]-(o:Agent)
WITH a, s, sure, other, max(CASE WHEN o.agent_id <> a.agent_id THEN 1 ELSE 0 END) AS contested
WITH a, count(s) AS statements, sum(other) AS others, sum(contested) AS contested,
     sum(CASE WHEN s.verified THEN 0 ELSE 1 END) AS unverified, avg(sure) AS confidence
WHERE statements >= 3 AND others = 0
RETURN a.agent_id AS agent, a.name AS agent_name, statements AS statements, contested AS contested,
       unverified AS unverified, confidence AS confidence
ORDER BY statements DESC, contested DESC, agent
LIMIT 100
