// Full-text indexes of Neo4j; the same names in embedded.sql.
CREATE FULLTEXT INDEX statement_text IF NOT EXISTS FOR (n:Statement) ON EACH [n.claim_text];
CREATE FULLTEXT INDEX chunk_text IF NOT EXISTS FOR (n:Chunk) ON EACH [n.text];
CREATE FULLTEXT INDEX document_title IF NOT EXISTS FOR (n:Document) ON EACH [n.title];
CALL db.awaitIndexes(60);
