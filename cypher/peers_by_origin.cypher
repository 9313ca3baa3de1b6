// The agreements in force with the peers that keep these logs.
UNWIND $origins AS origin
MATCH (p:Peer {origin: origin})
RETURN p.origin AS origin, p.url AS url, p.log_key AS log_key, p.transport_key AS transport_key,
       p.clearance AS clearance, p.entries_per_pull AS entries_per_pull, p.bytes_per_day AS bytes_per_day,
       p.suspended AS suspended, p.private_address AS private_address, p.log_index AS log_index
