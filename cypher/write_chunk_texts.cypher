// Fills in the text of chunks from the source that is now held.
UNWIND $rows AS row
MATCH (c:Chunk {chunk_key: row.chunk_key})
SET c.text = row.text
