// The first cited chunks of each of these documents, in the order of their bytes.
UNWIND $keys AS key
MATCH (d:Document {document_key: key})
CALL (d) {
  MATCH (d)<-[:PART_OF]-(c:Chunk)
  RETURN c
  ORDER BY c.byte_start, c.byte_end
  LIMIT $first
}
RETURN d.document_key AS parent,
       c {.chunk_key, .chunk_id, .doc_id, .document_hash, .content_hash, .text, .byte_start, .byte_end,
          .timestamp_start, .timestamp_end} AS chunk,
       d {.document_key, .document_hash, .doc_id, .title, .media_type, .byte_length, .boundary, .held,
          .registered} AS document
ORDER BY c.byte_start, c.byte_end
