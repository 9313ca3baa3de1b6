// The steps of these Context Packs, in their order, and the content that each returned.
UNWIND $hashes AS hash
MATCH (n:Pack {record_hash: hash})-[:HAS_STEP]->(s:Step)
OPTIONAL MATCH (s)-[:GENERATED]->(d:Document)
RETURN n.record_hash AS pack, s.position AS position, s.index AS index, s.type AS type, s.tool AS tool,
       s.deterministic AS deterministic, s.timestamp AS timestamp, d.document_key AS output_hash
ORDER BY pack, position
