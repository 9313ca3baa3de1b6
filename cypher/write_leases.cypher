// Gives leases on verification requests.
UNWIND $rows AS row
CREATE (l:Lease {lease_id: row.lease_id, request_hash: row.request_hash, agent_id: row.agent_id,
                 leased_micros: row.leased_micros, expires_micros: row.expires_micros})
