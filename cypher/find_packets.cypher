// Context Packets with their classes, by something, from one end.
// What one says of itself is looked at only where the reader may see it, and it is not erased; by a packet that the
// reader may not see, none is superseded. A text that is too long for a time is none.
MATCH (n:Packet)
WHERE n.log_index > $start AND n.log_index < $end
MATCH (n)-[:RECORD_OF]->(d:Document)
WITH n, d, d.redacted IS NULL AND coalesce(d.boundary, 'public') IN $readable AS shown
WHERE $all OR (shown
  AND ($recipient IS NULL OR n.recipient_id = $recipient)
  AND ($producer IS NULL OR n.producer_id = $producer)
  AND ($packet_type IS NULL OR n.packet_type = $packet_type)
  AND ($task IS NULL OR n.task_ref = $task)
  AND ($levels IS NULL OR n.level IN $levels)
  AND ($superseded IS NULL OR EXISTS {
    MATCH (n)<-[:SUPERSEDES]-(:Packet)-[:RECORD_OF]->(o:Document)
    WHERE coalesce(o.boundary, 'public') IN $readable
  } = $superseded))
WITH n, d, CASE WHEN NOT shown THEN '' ELSE coalesce(CASE $order WHEN 'CREATED_AT' THEN n.created_at
                                                                 WHEN 'EXPIRES_AT' THEN n.expires_at END, '') END AS said
WITH n, d, CASE WHEN size(said) > 64 THEN '' ELSE said END AS word
WHERE ($low_word IS NULL OR word > $low_word OR (word = $low_word AND n.log_index > $low))
  AND ($high_word IS NULL OR word < $high_word OR (word = $high_word AND n.log_index < $high))
RETURN d.boundary AS boundary, d.redacted AS redacted, properties(n) AS properties, n.log_index AS log_index,
       word AS word
ORDER BY CASE WHEN $sign > 0 THEN word END, CASE WHEN $sign < 0 THEN word END DESC, log_index * $sign
LIMIT $limit
