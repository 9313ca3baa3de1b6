// Since which place in the log anybody can know the operator's answer to a criterion of these statements.
UNWIND $hashes AS hash
MATCH (g:GoldLabel {target_hash: hash})
WHERE g.own
RETURN g.target_hash AS statement, g.criterion AS criterion, min(g.log_index) AS known_at
ORDER BY statement, criterion
