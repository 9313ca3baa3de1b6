// The last part of an epoch in the log, whether or not its table is complete.
MATCH (e:Epoch)
RETURN e.log_index AS log_index, e.log_size AS log_size, e.part AS part, e.parts AS parts
ORDER BY e.log_index DESC
LIMIT 1
