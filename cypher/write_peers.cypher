// Writes agreements with peers; a later one takes the place of those before it.
UNWIND $rows AS row
MERGE (p:Peer {origin: row.origin})
SET p.agreement_id = row.agreement_id, p.signed_hash = row.signed_hash, p.issued_at = datetime(row.issued_at),
    p.url = row.url, p.log_key = row.log_key, p.transport_key = row.transport_key, p.clearance = row.clearance,
    p.entries_per_pull = row.entries_per_pull, p.bytes_per_day = row.bytes_per_day,
    p.suspended = row.suspended, p.private_address = row.private_address, p.log_index = row.log_index
