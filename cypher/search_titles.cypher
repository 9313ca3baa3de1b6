// Statements that cite a document whose title a full-text query finds and the reader may see, best first.
// With $min_score only verified statements that score at least that. $hits bounds the hits of the index.
UNWIND [class IN $readable | 'search_' + replace(class, '-', '_') + '_titles'] AS index
CALL db.index.fulltext.queryNodes(index, $query, {limit: $hits}) YIELD node AS t, score
MATCH (d:Document {document_key: t.text_key})
WHERE coalesce(d.boundary, 'public') IN $readable
MATCH (d)<-[:PART_OF]-(:Chunk)<-[:CITES]-(s:Statement)
WHERE (s.probe_passes IS NULL OR s.probe_passes)
  AND ($min_score IS NULL OR (s.verified = true AND s.consensus_score >= $min_score))
RETURN s.signed_hash AS signed_hash, 2 AS tier, max(score) AS score
ORDER BY score DESC, signed_hash
LIMIT $first
