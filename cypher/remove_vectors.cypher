// Takes away the vectors of search with these keys.
UNWIND $keys AS key
MATCH (v:SearchVector {vector_key: key})
DETACH DELETE v
