// Which documents carry most claims, and how many of them would fall with the document?
// source, document: its URN and its hash. statements: those that cite it. agents: how many state these.
// alone: statements that cite no other document. verified: those of the statements that are verified.
// verified_alone: verified statements that cite no other document, which is what an error in this one would bring down.
// Whatever its author has taken back is not counted. Titles are left out, since some readers may not see them.
// The 100 documents with most statements are shown.
MATCH (s:Statement)-[:CITES]->(:Chunk)-[:PART_OF]->(d:Document)
WHERE NOT s.retracted
WITH DISTINCT s, d
MATCH (s)-[:CITES]->(c:Chunk)
WITH s, d, count(DISTINCT coalesce(c.document_hash, c.doc_id)) AS documents
MATCH (s)<-[:GENERATED]-(a:Agent)
RETURN d.doc_id AS source, d.document_key AS document, count(s) AS statements,
       count(DISTINCT a.agent_id) AS agents, sum(CASE WHEN documents = 1 THEN 1 ELSE 0 END) AS alone,
       sum(CASE WHEN s.verified THEN 1 ELSE 0 END) AS verified,
       sum(CASE WHEN s.verified AND documents = 1 THEN 1 ELSE 0 END) AS verified_alone
ORDER BY statements DESC, alone DESC, document
LIMIT 100
