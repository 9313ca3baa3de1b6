// Drops the full-text indexes of Neo4j, for the schema to make them anew.
DROP INDEX statement_text IF EXISTS;
DROP INDEX chunk_text IF EXISTS;
DROP INDEX document_title IF EXISTS;
