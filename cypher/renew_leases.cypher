// Moves the end of leases.
UNWIND $rows AS row
MATCH (l:Lease {lease_key: row.lease_key})
SET l.expires_micros = row.expires_micros, l.held_micros = row.held_micros
