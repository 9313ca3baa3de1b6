// A page of the claims that two agents have both made, in order of their words, with the statements that make them.
UNWIND [$one, $other] AS id
MATCH (a:Agent {agent_id: id})-[:GENERATED]->(s:Statement)
WHERE s.claim_text > $after AND NOT s.retracted AND s.key_trusted
WITH s.claim_text AS claim, a.agent_id AS agent, max(s.log_index) AS last
WITH claim, collect({agent: agent, log_index: last}) AS makers
WHERE size(makers) = 2
WITH claim, makers
ORDER BY claim
LIMIT $first
UNWIND makers AS maker
MATCH (made:Statement {log_index: maker.log_index})
RETURN claim AS claim, maker.agent AS agent, made.signed_hash AS signed_hash, made.content_hash AS content_hash
ORDER BY claim
