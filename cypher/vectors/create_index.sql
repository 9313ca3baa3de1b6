-- The vector index of a class of readers on the embedded engine.
CREATE PROPERTY SearchVector.<property> IF NOT EXISTS ARRAY_OF_FLOATS;
CREATE INDEX vectors_<property> IF NOT EXISTS ON SearchVector (<property>) LSM_VECTOR METADATA {dimensions: <dimension>, similarity: 'COSINE'};
