// The cited chunks of each of these documents between two ranges of bytes, in the order of their bytes, from one end.
// With $overlap_start and $overlap_end, only those with a byte from the one to before the other.
UNWIND $keys AS key
MATCH (d:Document {document_key: key})
CALL (d) {
  MATCH (d)<-[:PART_OF]-(c:Chunk)
  WHERE (c.byte_start > $low_start OR (c.byte_start = $low_start AND c.byte_end > $low_end))
    AND (c.byte_start < $high_start OR (c.byte_start = $high_start AND c.byte_end < $high_end))
    AND ($overlap_start IS NULL OR c.byte_end > $overlap_start)
    AND ($overlap_end IS NULL OR c.byte_start < $overlap_end)
  RETURN c
  ORDER BY c.byte_start * $sign, c.byte_end * $sign
  LIMIT $limit
}
RETURN c.chunk_key AS chunk_key, c.chunk_id AS chunk_id, c.content_hash AS content_hash, c.text AS text, c.redacted AS passage_redacted,
       c.byte_start AS byte_start, c.byte_end AS byte_end, c.timestamp_start AS timestamp_start,
       c.timestamp_end AS timestamp_end,
       d.document_key AS document_key, d.document_hash AS document_hash, d.doc_id AS doc_id, d.title AS title,
       d.media_type AS media_type, d.byte_length AS byte_length, d.boundary AS boundary, d.held AS held,
       d.registered AS registered, d.redacted AS document_redacted,
       d.licence AS licence, d.rights_holder AS rights_holder,
       d.retain_until.epochSeconds * 1000000 + d.retain_until.microsecond AS retain_micros
ORDER BY byte_start * $sign, byte_end * $sign
