// Takes away the properties of Context Packs whose bytes were erased, and their steps: hash and place are left.
// Content that only they named is no longer known; packs that follow them still do.
UNWIND $rows AS row
MATCH (n:Pack {record_hash: row.record_hash})
SET n.held = false, n.byte_length = null, n.version = null, n.created = null, n.model = null, n.os = null,
    n.runtime = null, n.form = null, n.parent = null, n.steps = null
WITH n
OPTIONAL MATCH (n)-[:HAS_STEP]->(s:Step)
OPTIONAL MATCH (s)-[:GENERATED]->(o:Document)
WITH n, collect(DISTINCT s) AS steps, collect(DISTINCT o) AS returned
OPTIONAL MATCH (n)-[r:USED|GENERATED|INFORMED_BY]->(t)
WITH n, steps, returned, collect(r) AS named, collect(DISTINCT t) AS targets
FOREACH (r IN named | DELETE r)
FOREACH (s IN steps | DETACH DELETE s)
WITH returned + targets AS left
UNWIND left AS d
WITH DISTINCT d
WHERE d.document_key IS NOT NULL AND NOT EXISTS { (d)--() }
DELETE d
