// Statements whose claim a full-text query finds, best first.
// With $min_score only verified statements that score at least that. $hits bounds the hits of the index.
CALL db.index.fulltext.queryNodes('statement_text', $query, {limit: $hits}) YIELD node AS s, score
WHERE (s.probe_passes IS NULL OR s.probe_passes)
  AND ($min_score IS NULL OR (s.verified = true AND s.consensus_score >= $min_score))
RETURN s.signed_hash AS signed_hash, 0 AS tier, score AS score
ORDER BY score DESC, signed_hash
LIMIT $first
