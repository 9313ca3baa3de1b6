// Statements that cite a passage that a full-text query finds and the reader may see, best first.
// With $min_score only verified statements that score at least that. $hits bounds the hits of the index.
UNWIND [class IN $readable | 'search_' + replace(class, '-', '_') + '_passages'] AS index
CALL db.index.fulltext.queryNodes(index, $query, {limit: $hits}) YIELD node AS t, score
MATCH (c:Chunk {chunk_key: t.text_key})-[:PART_OF]->(d:Document)
WHERE coalesce(d.boundary, 'public') IN $readable
MATCH (c)<-[:CITES]-(s:Statement)
WHERE (s.probe_passes IS NULL OR s.probe_passes)
  AND ($min_score IS NULL OR (s.verified = true AND s.consensus_score >= $min_score))
RETURN s.signed_hash AS signed_hash, 1 AS tier, max(score) AS score
ORDER BY score DESC, signed_hash
LIMIT $first
