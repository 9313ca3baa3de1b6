// How the statements of a stretch of the log refer to other statements, in order.
MATCH (s:Statement)
WHERE s.log_index >= $start AND s.log_index < $end
MATCH (s)-[r:SUPPORTS|CONTRADICTS|REVISION_OF]->(t:Statement)
RETURN type(r) AS type, s.signed_hash AS start, t.signed_hash AS end, properties(r) AS properties
ORDER BY s.log_index, type, t.log_index
