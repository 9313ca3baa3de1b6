// Of the statements numbered from $start to $end, $end left out, those that somebody other than the machine has judged.
UNWIND range($start, $end - 1) AS number
MATCH (s:Statement {statement_index: number})<-[:VALIDATES]-(v:Verification)
WHERE v.machine = false
RETURN DISTINCT number, s.signed_hash AS signed_hash
ORDER BY number
