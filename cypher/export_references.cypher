// How the statements of a stretch of the log refer to other statements, of one type, in order.
UNWIND range($start, $end - 1) AS place
MATCH (s:Statement {log_index: place})
MATCH (s)-[r:SUPPORTS|CONTRADICTS|REVISION_OF]->(t:Statement)
WHERE type(r) = $type
RETURN s.signed_hash AS start, t.signed_hash AS end, properties(r) AS properties
ORDER BY s.log_index, t.log_index
