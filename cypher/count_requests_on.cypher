// How many verification requests of each agent wait on each statement, of these pairs.
UNWIND $rows AS row
MATCH (s:Statement {signed_hash: row.statement})<-[:TARGETS]-(r:VerificationRequest)
WHERE r.agent_id = row.agent AND r.open_until > $now
RETURN row.agent AS agent, row.statement AS statement, count(r) AS number
ORDER BY agent, statement
