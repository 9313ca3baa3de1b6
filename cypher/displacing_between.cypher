// A statement from one place of the log to another, the latter left out, that revises one of these or has another's id.
UNWIND range($start, $end - 1) AS place
MATCH (t:Statement {log_index: place})
OPTIONAL MATCH (t)-[:REVISION_OF]->(s:Statement)
WITH t, s
WHERE t.conflicted OR s.signed_hash IN $hashes
RETURN t.signed_hash AS statement
LIMIT 1
