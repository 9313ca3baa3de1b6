// Which records the statements of a stretch of the log came out of, in order.
MATCH (s:Statement)
WHERE s.log_index >= $start AND s.log_index < $end
MATCH (s)-[r:GENERATED_BY]->(d:Document)
RETURN s.signed_hash AS start, d.document_key AS end, properties(r) AS properties
ORDER BY s.log_index, end
