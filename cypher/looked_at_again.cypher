// A statement from before $start that the machine has looked at again up to $end, left out, if there is one.
UNWIND range($start, $end - 1) AS place
MATCH (v:Verification {log_index: place})
WHERE v.machine
WITH v
MATCH (v)-[:VALIDATES]->(s:Statement)
WHERE s.log_index < $start
RETURN s.signed_hash AS statement
LIMIT 1
