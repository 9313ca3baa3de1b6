// What of these statements can be searched: claim, author, and what the reader may see of passages and titles.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:GENERATED]-(a:Agent)
OPTIONAL MATCH (s)-[:CITES]->(c:Chunk)-[:PART_OF]->(d:Document)
WHERE coalesce(d.boundary, 'public') IN $readable
RETURN s.signed_hash AS signed_hash, s.claim_text AS claim_text, a.agent_id AS agent_id,
       collect(DISTINCT c.text) AS passages, collect(DISTINCT d.title) AS titles
