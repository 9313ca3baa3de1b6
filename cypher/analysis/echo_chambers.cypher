// Which groups of agents validate and support each other's statements, and little else?
// members: an agent and all whose statements it has validated and who have validated its own, by their ids.
// inside: validations of members' statements by members. given: validations by members, of anybody's statements.
// received: validations of members' statements, by anybody. supports: those of these statements that say they support a
// statement of another member. closed: the smaller of inside / given and inside / received.
// Groups of 0.8 and more are shown, the largest first, 100 at most. A validation is a statement that an agent has
// validated, counted once, by a verdict that binds, is signed with a trusted key, is not taken back and is not the
// machine's. A group is found around each agent, of 200 members at most: of a chain of agents of whom each knows only
// the next, it finds the threes. Two honest experts of a small field look the same.
MATCH (a:Agent)-[:VERIFIED {verdict: 'VALIDATED'}]->(:Statement)<-[:GENERATED]-(b:Agent)
WHERE a.agent_id <> b.agent_id
WITH DISTINCT a, b
MATCH (b)-[:VERIFIED {verdict: 'VALIDATED'}]->(:Statement)<-[:GENERATED]-(a)
WITH DISTINCT a, b
UNWIND [a.agent_id, b.agent_id] AS member
WITH DISTINCT a, member
ORDER BY member
WITH a, collect(member) AS members
WITH DISTINCT members
UNWIND members AS member
MATCH (m:Agent {agent_id: member})<-[:PERFORMED_BY]-(v:Verification)-[:VALIDATES]->(s:Statement)<-[:GENERATED]-(o:Agent)
WHERE v.verdict = 'VALIDATED' AND v.binds AND v.key_trusted AND NOT v.retracted AND NOT v.machine
WITH DISTINCT members, m, s, o
WITH members, m, count(s) AS given, sum(CASE WHEN o.agent_id IN members THEN 1 ELSE 0 END) AS inside
MATCH (m)-[:GENERATED]->(s:Statement)<-[:VALIDATES]-(v:Verification)-[:PERFORMED_BY]->(o:Agent)
WHERE v.verdict = 'VALIDATED' AND v.binds AND v.key_trusted AND NOT v.retracted AND NOT v.machine
WITH members, m, given, inside, s, count(DISTINCT o.agent_id) AS judged
OPTIONAL MATCH (s)-[:SUPPORTS]->(:Statement)<-[:GENERATED]-(o:Agent)
WITH members, m, given, inside, s, judged,
     max(CASE WHEN o.agent_id IN members AND o.agent_id <> m.agent_id THEN 1 ELSE 0 END) AS supporting
WITH members, m, given, inside, sum(judged) AS received, sum(supporting) AS supports
WITH members, sum(given) AS given, sum(inside) AS inside, sum(received) AS received, sum(supports) AS supports
WITH members, given, inside, received, supports,
     CASE WHEN given > received THEN toFloat(inside) / given ELSE toFloat(inside) / received END AS closed
WHERE closed >= 0.8
RETURN members AS members, size(members) AS size, inside AS inside, given AS given, received AS received,
       supports AS supports, closed AS closed
ORDER BY size DESC, inside DESC, members
LIMIT 100
