// Takes the write lock of the leases, so that what is leased can be read in a second statement.
MERGE (h:LeaseHead {name: 'leases'})
SET h.lock = $nonce
