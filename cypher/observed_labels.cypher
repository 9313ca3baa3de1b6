// The gold labels in force on these statements, at most one a criterion, in log order.
UNWIND $hashes AS hash
MATCH (g:GoldLabel {target_hash: hash})
WHERE g.in_force
RETURN g.target_hash AS statement, g.criterion AS criterion, g.passes AS passes, g.probe AS probe,
       g.signed_hash AS signed_hash, g.log_index AS log_index
ORDER BY log_index
