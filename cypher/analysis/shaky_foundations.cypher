// Which statements are others said to be supported by, although nobody has verified them?
// statement, claim, agent: the statement that supports others, and its author. score: its consensus score.
// challenged: whether somebody has challenged it. retracted: whether its author has taken it back.
// carries: statements that it says it supports. verified_carried: those of them that are verified all the same.
// Support is what the author of the supporting statement declares; it may be declared of anything, and counts for
// nothing in a score. One step: what a carried statement supports in turn is a row of its own. The 100 that carry most
// are shown.
MATCH (a:Agent)-[:GENERATED]->(s:Statement)-[:SUPPORTS]->(t:Statement)
WHERE NOT s.verified
WITH DISTINCT a, s, t
WITH a, s, count(t) AS carries, sum(CASE WHEN t.verified THEN 1 ELSE 0 END) AS verified_carried
RETURN s.signed_hash AS statement, s.claim_text AS claim, a.agent_id AS agent, s.consensus_score AS score,
       EXISTS { (s)<-[:CHALLENGED]-(:Agent) } AS challenged, s.retracted AS retracted, carries AS carries,
       verified_carried AS verified_carried
ORDER BY carries DESC, verified_carried DESC, statement
LIMIT 100
