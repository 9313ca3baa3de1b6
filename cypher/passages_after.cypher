// The passages with a text, from behind a key on.
MATCH (c:Chunk)
WHERE c.chunk_key > $after AND c.text <> ''
RETURN c.chunk_key AS chunk_key
ORDER BY chunk_key
LIMIT $first
