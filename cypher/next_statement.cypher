// The first statement after a place in the log, and its number.
MATCH (s:Statement)
WHERE s.log_index > $after
RETURN s.log_index AS log_index, s.statement_index AS number
ORDER BY log_index
LIMIT 1
