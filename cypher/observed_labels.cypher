// The gold labels in force on these statements, at most one a criterion, in log order; known since the first of them.
UNWIND $hashes AS hash
MATCH (g:GoldLabel {target_hash: hash})
WHERE g.in_force
MATCH (e:GoldLabel {target_hash: hash})
WHERE e.criterion = g.criterion
WITH g, min(e.log_index) AS known_at
RETURN g.target_hash AS statement, g.criterion AS criterion, g.passes AS passes, g.probe AS probe,
       g.signed_hash AS signed_hash, g.log_index AS log_index, known_at
ORDER BY log_index
