// The agents that meet conditions, by something, from one end.
MATCH (a:Agent)
WHERE a.log_index IS NOT NULL
  AND ($capability IS NULL OR $capability IN a.capabilities)
  AND ($publisher IS NULL OR a.publisher = $publisher)
  AND ($name IS NULL OR a.name = $name)
  AND ($version IS NULL OR a.version = $version)
  AND ($active IS NULL OR (a.deactivated_at IS NULL) = $active)
WITH a, CASE $order WHEN 'REPUTATION' THEN coalesce(a.reputation, 0.5) ELSE 0 END AS rank,
     CASE $order WHEN 'NAME' THEN coalesce(a.name, '') ELSE '' END AS word
WHERE ($low_word IS NULL OR word > $low_word OR (word = $low_word AND (rank > $low_rank
       OR (rank = $low_rank AND a.log_index > $low))))
  AND ($high_word IS NULL OR word < $high_word OR (word = $high_word AND (rank < $high_rank
       OR (rank = $high_rank AND a.log_index < $high))))
RETURN a.agent_id AS agent_id, a.name AS agent_name, a.version AS agent_version, a.publisher AS agent_publisher,
       a.reputation AS agent_reputation, a.capabilities AS capabilities, a.public_key AS public_key,
       a.registered_at.epochSeconds * 1000000 + a.registered_at.microsecond AS registered_micros,
       a.registration_hash AS registration_hash, a.deactivated_at AS deactivated_at,
       a.log_index AS log_index, rank AS rank, word AS word
ORDER BY CASE WHEN $sign > 0 THEN word END, CASE WHEN $sign < 0 THEN word END DESC, rank * $sign, log_index * $sign
LIMIT $limit
