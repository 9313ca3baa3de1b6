// The first statement after a place in the log.
MATCH (s:Statement)
WHERE s.log_index > $after
RETURN s.log_index AS log_index
ORDER BY log_index
LIMIT 1
