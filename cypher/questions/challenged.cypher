// Which statements are challenged, and by whom?
MATCH (s:Statement)<-[r:CHALLENGED]-(a:Agent)
RETURN s.signed_hash AS statement, s.claim_text AS claim, a.name AS agent, r.timestamp AS challenged_at
ORDER BY s.log_index DESC, agent
LIMIT $first
