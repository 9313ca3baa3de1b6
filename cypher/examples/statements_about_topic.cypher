// Which statements cite a document with the topic in its title, or a passage that contains it (A2AP Appendix B)?
// As text, case and all; the full-text search of the platform is search_statements.cypher.
MATCH (s:Statement)-[:CITES]->(c:Chunk)-[:PART_OF]->(d:Document)
WHERE d.title CONTAINS $topic OR c.text CONTAINS $topic
RETURN s AS statement, collect(c) AS evidence
ORDER BY s.log_index
LIMIT 100
