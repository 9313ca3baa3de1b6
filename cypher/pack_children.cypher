// The packs that follow each of these Context Packs, the first in the log first.
UNWIND $hashes AS hash
MATCH (p:Pack {record_hash: hash})<-[:INFORMED_BY]-(c:Pack)
RETURN p.record_hash AS parent, c.record_hash AS child
ORDER BY parent, c.log_index
LIMIT $first
