// The registrations of records of other formats before this place of the log.
MATCH (:Agent)-[r:REGISTERED]->(:Document)
WHERE r.log_index < $end AND r.format IS NOT NULL
RETURN DISTINCT r.log_index AS log_index
ORDER BY log_index
