// The statements of claims and passages that were found near, if the reader may see the claim or passage.
// With $min_score only verified statements that score at least that.
UNWIND $claims AS key
MATCH (s:Statement {signed_hash: key})
WHERE (s.probe_passes IS NULL OR s.probe_passes)
  AND ($min_score IS NULL OR (s.verified = true AND s.consensus_score >= $min_score))
RETURN s.signed_hash AS signed_hash, key AS key
ORDER BY signed_hash
LIMIT $first
UNION ALL
UNWIND $passages AS key
MATCH (c:Chunk {chunk_key: key})-[:PART_OF]->(d:Document)
WHERE c.text <> '' AND coalesce(d.boundary, 'public') IN $readable
MATCH (c)<-[:CITES]-(s:Statement)
WHERE (s.probe_passes IS NULL OR s.probe_passes)
  AND ($min_score IS NULL OR (s.verified = true AND s.consensus_score >= $min_score))
RETURN s.signed_hash AS signed_hash, key AS key
ORDER BY signed_hash
LIMIT $first
