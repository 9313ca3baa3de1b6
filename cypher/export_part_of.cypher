// The documents of the chunks with keys in a range, by key.
MATCH (n:Chunk)
WHERE n.chunk_key >= $start AND n.chunk_key < $end
MATCH (n)-[r:PART_OF]->(d:Document)
RETURN n.chunk_key AS start, d.document_key AS end, properties(r) AS properties
ORDER BY n.chunk_key
