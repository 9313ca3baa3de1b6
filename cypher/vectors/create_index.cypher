// The vector index of a class of readers on Neo4j. Not quantized, so that equal vectors have the cosine 1.
CREATE VECTOR INDEX vectors_<property> IF NOT EXISTS FOR (n:SearchVector) ON (n.<property>)
OPTIONS {indexConfig: {`vector.dimensions`: <dimension>, `vector.similarity_function`: 'cosine',
                       `vector.quantization.enabled`: false}};
CALL db.awaitIndexes(60);
