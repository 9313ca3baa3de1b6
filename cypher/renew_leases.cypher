// Moves the end of leases.
UNWIND $rows AS row
MATCH (l:Lease {lease_id: row.lease_id})
SET l.expires_micros = row.expires_micros
