// Which records the verdicts of a stretch of the log came out of, in order.
UNWIND range($start, $end - 1) AS place
MATCH (v:Verification {log_index: place})
MATCH (v)-[r:GENERATED_BY]->(d:Document)
RETURN v.signed_hash AS start, d.document_key AS end, properties(r) AS properties
ORDER BY v.log_index, end
