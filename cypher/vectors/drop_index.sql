-- Drops the vector index of a class of readers on the embedded engine.
DROP INDEX vectors_<property> IF EXISTS;
