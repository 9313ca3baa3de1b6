// Context Packs that used or generated a content, of a model or parent if named, by something, from one end.
// When one was made is a text: its clock, and how far that is from UTC.
UNWIND [$content] AS key
MATCH (:Document {document_key: key})<-[:USED|GENERATED]-(n:Pack)
WITH DISTINCT n
WHERE n.log_index > $start AND n.log_index < $end
  AND ($model IS NULL OR n.model = $model)
  AND ($parent IS NULL OR n.parent = $parent)
WITH n, CASE $order WHEN 'CREATED' THEN n.created END AS said
WITH n, said, CASE WHEN said IS NULL OR said ENDS WITH 'Z' THEN '+00:00' ELSE right(said, 6) END AS zone
WITH n, CASE WHEN said IS NOT NULL
             THEN datetime(left(said, 19) + 'Z').epochSeconds
                  - CASE WHEN zone STARTS WITH '-' THEN -1 ELSE 1 END
                    * (3600 * toInteger(substring(zone, 1, 2)) + 60 * toInteger(substring(zone, 4, 2)))
             WHEN $order = 'CREATED' THEN $timeless ELSE 0 END AS rank
WHERE (rank > $low_rank OR (rank = $low_rank AND n.log_index > $low))
  AND (rank < $high_rank OR (rank = $high_rank AND n.log_index < $high))
RETURN n.record_hash AS record_hash, n.log_index AS log_index, rank AS rank
ORDER BY rank * $sign, log_index * $sign
LIMIT $limit
