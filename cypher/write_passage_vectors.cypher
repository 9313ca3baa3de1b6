// Keeps the vectors of passages that have a text and are not erased.
UNWIND $rows AS row
MATCH (c:Chunk {chunk_key: row.key})
WHERE c.redacted IS NULL AND c.text <> ''
MERGE (v:SearchVector {vector_key: row.key})
SET v = row.properties
