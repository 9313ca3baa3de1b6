// A statement from before $start that the machine has looked at again up to $end, left out, if there is one.
MATCH (v:Verification)
WHERE v.log_index >= $start AND v.log_index < $end AND v.machine
WITH v
MATCH (v)-[:VALIDATES]->(s:Statement)
WHERE s.log_index < $start
RETURN s.signed_hash AS statement
LIMIT 1
