// Fills in the text of chunks from the source that is now held, but for erased passages.
UNWIND $rows AS row
MATCH (c:Chunk {chunk_key: row.chunk_key})
WHERE c.redacted IS NULL
SET c.text = row.text
