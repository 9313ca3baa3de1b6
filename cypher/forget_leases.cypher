// Removes some of the leases that expired a while ago.
MATCH (l:Lease)
WHERE l.expires_micros < $before
WITH l LIMIT $first
DELETE l
