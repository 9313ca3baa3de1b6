// Takes the write lock of the leases, so that they can be read in a second statement.
MERGE (h:LeaseHead {name: 'leases'})
SET h.lock = $nonce
