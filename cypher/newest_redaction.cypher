// The place in the log of the newest redaction, if there is one.
MATCH (r:Redaction)
RETURN r.log_index AS log_index
ORDER BY log_index DESC
LIMIT 1
