// Which statements have been validated by agents of one family alone, as by versions of one model?
// statement, claim, verified: the statement. family: that of everybody who has validated it. verifiers: how many.
// author_too: whether its author is of that family as well.
// A family counts where its founder or a confirmed version names it; an agent of no family is a family of its own. Only
// statements that two agents or more have validated: what one has looked at is no agreement. Versions of one model
// share their mistakes, so that their agreement says less than their number. The 100 with most verifiers are shown.
MATCH (s:Statement)<-[:VALIDATES]-(v:Verification)-[:PERFORMED_BY]->(j:Agent)
WHERE v.verdict = 'VALIDATED' AND v.binds AND v.key_trusted AND NOT v.retracted AND NOT v.machine
      AND NOT s.retracted
WITH DISTINCT s, j
OPTIONAL MATCH (j)-[r:SPECIALIZATION_OF]->(f:AgentFamily)
WITH s, j, CASE WHEN r.founder OR r.confirmed THEN f.family_id ELSE j.agent_id END AS family
WITH s, count(j) AS verifiers, count(DISTINCT family) AS families, min(family) AS family
WHERE verifiers >= 2 AND families = 1
MATCH (s)<-[:GENERATED]-(a:Agent)
OPTIONAL MATCH (a)-[r:SPECIALIZATION_OF]->(f:AgentFamily)
RETURN s.signed_hash AS statement, s.claim_text AS claim, s.verified AS verified, family AS family,
       verifiers AS verifiers, coalesce(f.family_id = family AND (r.founder OR r.confirmed), false) AS author_too
ORDER BY verifiers DESC, statement
LIMIT 100
