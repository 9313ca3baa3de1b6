// Which records the statements of a stretch of the log came out of, in order.
UNWIND range($start, $end - 1) AS place
MATCH (s:Statement {log_index: place})
MATCH (s)-[r:GENERATED_BY]->(d:Document)
RETURN s.signed_hash AS start, d.document_key AS end, properties(r) AS properties
ORDER BY s.log_index, end
