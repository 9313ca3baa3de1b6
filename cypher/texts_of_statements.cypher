// The texts of these statements for search: claim, author, and the passages and titles that the reader may see.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:GENERATED]-(a:Agent)
OPTIONAL MATCH (s)-[:CITES]->(c:Chunk)-[:PART_OF]->(d:Document)
WHERE coalesce(d.boundary, 'public') IN $readable
RETURN s.signed_hash AS signed_hash, s.claim_text AS claim_text, a.agent_id AS agent_id,
       collect(DISTINCT c.text) AS passages, collect(DISTINCT d.title) AS titles
