// Which of these statements are challenged, and by whom?
UNWIND $statements AS hash
MATCH (s:Statement {signed_hash: hash})<-[r:CHALLENGED]-(a:Agent)
RETURN s.signed_hash AS statement, s.claim_text AS claim, a.name AS agent, r.timestamp AS challenged_at
ORDER BY statement, agent
LIMIT $first
