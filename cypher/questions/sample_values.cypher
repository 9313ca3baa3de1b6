// Some agents, sources and claims, for whoever has to know what values look like.
CALL () {
  MATCH (a:Agent)
  RETURN 'agent' AS kind, a.name AS value, a.log_index AS place
  ORDER BY place
  LIMIT 8
  UNION ALL
  MATCH (:Chunk)-[:PART_OF]->(d:Document)
  WHERE d.doc_id IS NOT NULL
  RETURN DISTINCT 'source' AS kind, d.doc_id AS value, 0 AS place
  ORDER BY value
  LIMIT 5
  UNION ALL
  MATCH (s:Statement)
  RETURN 'claim' AS kind, s.claim_text AS value, s.log_index AS place
  ORDER BY place DESC
  LIMIT 3
}
RETURN kind AS kind, value AS value
ORDER BY kind, place
LIMIT $first
