// Gives leases on verification requests; there is one for each request and agent, which an expired one becomes again.
UNWIND $rows AS row
MERGE (l:Lease {lease_key: row.lease_key})
SET l.lease_id = row.lease_id, l.request_hash = row.request_hash, l.agent_id = row.agent_id,
    l.place_of = row.place_of, l.leased_micros = row.leased_micros, l.expires_micros = row.expires_micros,
    l.held_micros = row.held_micros
