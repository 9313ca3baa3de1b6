// Drops the vector index of a class of readers on Neo4j.
DROP INDEX vectors_<property> IF EXISTS;
