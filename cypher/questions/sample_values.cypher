// Some agents, sources and claims, for whoever has to know what values look like.
// Any will do: of each kind a few are looked at, however many there are.
CALL () {
  MATCH (a:Agent)
  WITH a LIMIT 50
  RETURN 'agent' AS kind, a.name AS value, a.log_index AS place
  ORDER BY place
  LIMIT 8
  UNION ALL
  MATCH (c:Chunk)
  WITH c LIMIT 50
  MATCH (c)-[:PART_OF]->(d:Document)
  WHERE d.doc_id IS NOT NULL
  RETURN DISTINCT 'source' AS kind, d.doc_id AS value, 0 AS place
  ORDER BY value
  LIMIT 5
  UNION ALL
  MATCH (s:Statement)
  WITH s LIMIT 50
  RETURN 'claim' AS kind, s.claim_text AS value, s.log_index AS place
  ORDER BY place DESC
  LIMIT 3
}
RETURN kind AS kind, value AS value
ORDER BY kind, place
LIMIT $first
