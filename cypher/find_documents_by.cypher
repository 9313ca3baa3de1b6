// Documents that meet conditions, by something, from one end; a property that the reader may not see is empty.
// One that only items of packets lead to is there for whom one of these packets may be shown.
MATCH (d:Document)
WHERE ($keys IS NULL OR d.document_key IN $keys)
  AND ($boundaries IS NULL OR coalesce(d.boundary, 'public') IN $boundaries)
  AND ($licence IS NULL OR (d.licence = $licence AND d.boundary IN $readable))
  AND ($media_type IS NULL OR (d.media_type = $media_type AND d.boundary IN $readable))
  AND ($held IS NULL OR coalesce(d.held, false) = $held)
  AND ($registered IS NULL OR coalesce(d.registered, false) = $registered)
  AND (d.boundary IS NOT NULL OR EXISTS { (d)<-[:PART_OF]-() } OR EXISTS { (d)-[:SOURCED_FROM]->() }
       OR EXISTS { (d)<-[:REGISTERED|RECORD_OF|USED|GENERATED|GENERATED_BY]-() } OR NOT EXISTS { (d)<-[:ABOUT]-(:Item) }
       OR EXISTS {
         MATCH (d)<-[:ABOUT]-(:Item)<-[:HAS_ITEM]-(:Packet)-[:RECORD_OF]->(b:Document)
         WHERE coalesce(b.boundary, 'public') IN $readable
       })
  AND ($publisher IS NULL OR EXISTS {
         MATCH (d)-[:SOURCED_FROM]->(s:Source)
         WHERE s.publisher = $publisher
           AND NOT EXISTS {
             MATCH (s)<-[f:SOURCED_FROM]-(o:Document)
             WHERE NOT o.boundary IN $readable
               AND (coalesce(f.answered_for, false) OR NOT coalesce(s.answered_for, false))
           }
       })
OPTIONAL MATCH (d)<-[g:REGISTERED]-(:Agent)
WITH d, min(g.log_index) AS place
WITH d, CASE WHEN $order = 'TITLE' AND d.boundary IN $readable THEN coalesce(d.title, '') ELSE '' END AS word,
     CASE $order WHEN 'BYTE_LENGTH' THEN coalesce(d.byte_length, -1) WHEN 'REGISTERED' THEN coalesce(place, -1)
                 ELSE 0 END AS rank
WHERE ($low_word IS NULL OR word > $low_word OR (word = $low_word AND (rank > $low_rank
       OR (rank = $low_rank AND d.document_key > $low))))
  AND ($high_word IS NULL OR word < $high_word OR (word = $high_word AND (rank < $high_rank
       OR (rank = $high_rank AND d.document_key < $high))))
RETURN d.document_key AS document_key, d.document_hash AS document_hash, d.doc_id AS doc_id, d.title AS title,
       d.media_type AS media_type, d.byte_length AS byte_length, d.boundary AS boundary, d.held AS held,
       d.registered AS registered, d.redacted AS document_redacted,
       d.licence AS licence, d.rights_holder AS rights_holder,
       d.retain_until.epochSeconds * 1000000 + d.retain_until.microsecond AS retain_micros,
       rank AS rank, word AS word
ORDER BY CASE WHEN $sign > 0 THEN word END, CASE WHEN $sign < 0 THEN word END DESC, rank * $sign,
         CASE WHEN $sign > 0 THEN document_key END, CASE WHEN $sign < 0 THEN document_key END DESC
LIMIT $limit
