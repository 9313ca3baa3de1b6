// Which records the verdicts of a stretch of the log came out of, in order.
MATCH (v:Verification)
WHERE v.log_index >= $start AND v.log_index < $end
MATCH (v)-[r:GENERATED_BY]->(d:Document)
RETURN v.signed_hash AS start, d.document_key AS end, properties(r) AS properties
ORDER BY v.log_index, end
