// Those of these documents between two keys that meet conditions, by their keys; a withheld property meets none.
// One that only items of packets lead to is there for whom one of these packets may be shown.
UNWIND $keys AS key
MATCH (d:Document {document_key: key})
WHERE d.document_key > $low AND ($high IS NULL OR d.document_key < $high)
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
RETURN d.document_key AS document_key, d.document_hash AS document_hash, d.doc_id AS doc_id, d.title AS title,
       d.media_type AS media_type, d.byte_length AS byte_length, d.boundary AS boundary, d.held AS held,
       d.registered AS registered, d.redacted AS document_redacted,
       d.licence AS licence, d.rights_holder AS rights_holder,
       d.retain_until.epochSeconds * 1000000 + d.retain_until.microsecond AS retain_micros
ORDER BY CASE WHEN $sign > 0 THEN document_key END, CASE WHEN $sign < 0 THEN document_key END DESC
LIMIT $limit
