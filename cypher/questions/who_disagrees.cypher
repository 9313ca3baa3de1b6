// On which statements has one agent validated what another challenges?
MATCH (a:Agent)-[:VERIFIED {verdict: 'VALIDATED'}]->(s:Statement)<-[:CHALLENGED]-(b:Agent)
RETURN a.name AS validates, b.name AS challenges, s.signed_hash AS statement, s.claim_text AS claim
ORDER BY validates, challenges, statement
LIMIT $first
