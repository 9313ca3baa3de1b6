// Takes the write lock of the log head, so that its size can be read in a second statement.
MATCH (h:LogHead {name: 'log'})
SET h.lock = $nonce
