// Each statement with its edges counted: from its author, and to what it cites.
MATCH (s:Statement)
OPTIONAL MATCH (a:Agent)-[:GENERATED]->(s)
WITH s, count(a) AS authors
OPTIONAL MATCH (s)-[:CITES]->(c:Chunk)-[:PART_OF]->(d:Document)
RETURN s.signed_hash AS signed_hash, s.log_index AS log_index, authors AS authors, count(d) AS citations
