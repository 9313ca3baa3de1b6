// Context Packs of a content that they used or generated, a parent or a model if named, by something, from one end.
// They are looked for by the first of these that is named. When one was made is a text: a clock, and how far that is
// from UTC.
CALL {
  UNWIND CASE WHEN $content IS NULL THEN [] ELSE [$content] END AS key
  MATCH (:Document {document_key: key})<-[:USED|GENERATED]-(p:Pack)
  RETURN DISTINCT p AS n
  UNION ALL
  UNWIND CASE WHEN $content IS NULL AND $parent IS NOT NULL THEN [$parent] ELSE [] END AS hash
  MATCH (p:Pack {parent: hash})
  RETURN p AS n
  UNION ALL
  UNWIND CASE WHEN $content IS NULL AND $parent IS NULL THEN [true] ELSE [] END AS every
  MATCH (p:Pack)
  WHERE p.log_index > $start AND p.log_index < $end
  RETURN p AS n
}
WITH n
WHERE n.log_index > $start AND n.log_index < $end
  AND ($model IS NULL OR n.model = $model)
  AND ($parent IS NULL OR n.parent = $parent)
WITH n, CASE $order WHEN 'CREATED' THEN n.created END AS said
WITH n, left(said, 19) AS clock, right(replace(said, 'Z', '+00:00'), 6) AS zone
WITH n, CASE $order WHEN 'CREATED'
                    THEN coalesce(datetime(clock + 'Z').epochSeconds
                                  - 3600 * toInteger(left(zone, 3)) - 60 * toInteger(left(zone, 1) + right(zone, 2)),
                                  $timeless)
                    ELSE 0 END AS rank
WHERE (rank > $low_rank OR (rank = $low_rank AND n.log_index > $low))
  AND (rank < $high_rank OR (rank = $high_rank AND n.log_index < $high))
RETURN n.record_hash AS record_hash, n.log_index AS log_index, rank AS rank
ORDER BY rank * $sign, log_index * $sign
LIMIT $limit
