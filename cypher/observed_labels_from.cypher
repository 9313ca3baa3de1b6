// All gold labels in force, from a place in the log on, page by page.
MATCH (g:GoldLabel)
WHERE g.log_index >= $start AND g.in_force
RETURN g.target_hash AS statement, g.criterion AS criterion, g.passes AS passes, g.probe AS probe,
       g.signed_hash AS signed_hash, g.log_index AS log_index
ORDER BY log_index
LIMIT $first
