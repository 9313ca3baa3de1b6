// Which agents rest their statements on the same documents, and how much of what each cites is that?
// agent, other: a pair, once. shared: documents that both cite. of_agent, of_other: documents that each of them cites.
// overlap: shared, divided by the documents that either of them cites (Jaccard's index), from 0 to 1.
// It counts documents, not passages: two agents may cite the same minutes for different sentences. Whatever an agent
// has taken back still counts as cited. Pairs without a document in common are left out; the 100 with most overlap are
// shown.
MATCH (a:Agent)-[:GENERATED]->(:Statement)-[:CITES]->(:Chunk)-[:PART_OF]->(d:Document)
WITH DISTINCT a, d
MATCH (d)<-[:PART_OF]-(:Chunk)<-[:CITES]-(:Statement)<-[:GENERATED]-(b:Agent)
WHERE a.agent_id < b.agent_id
WITH a, b, count(DISTINCT d.document_key) AS shared
MATCH (a)-[:GENERATED]->(:Statement)-[:CITES]->(c:Chunk)
WITH a, b, shared, count(DISTINCT coalesce(c.document_hash, c.doc_id)) AS of_agent
MATCH (b)-[:GENERATED]->(:Statement)-[:CITES]->(c:Chunk)
WITH a, b, shared, of_agent, count(DISTINCT coalesce(c.document_hash, c.doc_id)) AS of_other
RETURN a.agent_id AS agent, a.name AS agent_name, b.agent_id AS other, b.name AS other_name, shared AS shared,
       of_agent AS of_agent, of_other AS of_other, toFloat(shared) / (of_agent + of_other - shared) AS overlap
ORDER BY overlap DESC, shared DESC, agent, other
LIMIT 100
