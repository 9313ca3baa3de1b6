// Which agents make these statements, and how many each?
UNWIND $statements AS hash
MATCH (s:Statement {signed_hash: hash})<-[:GENERATED]-(a:Agent)
RETURN a.name AS agent, a.agent_id AS agent_id, count(s) AS statements, collect(s.signed_hash) AS hashes
ORDER BY statements DESC, agent_id
LIMIT $first
