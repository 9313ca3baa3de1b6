// Statements about a topic by full text: tier 0 by the claim, 1 by their citations, 2 by the document's title.
// With $min_score only verified statements that score at least that. $hits bounds what each index may give. A probe that
// was revealed to be false is no answer to anything.
CALL db.index.fulltext.queryNodes('statement_text', $query, {limit: $hits}) YIELD node AS s, score
WHERE (s.probe_passes IS NULL OR s.probe_passes)
  AND ($min_score IS NULL OR (s.verified = true AND s.consensus_score >= $min_score))
RETURN s.signed_hash AS signed_hash, 0 AS tier, score AS score
ORDER BY score DESC, signed_hash
LIMIT $first
UNION ALL
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
UNION ALL
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
