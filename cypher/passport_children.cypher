// The records derived from each of these Context Passports, the first in the log first.
UNWIND $hashes AS hash
MATCH (p:Passport {record_hash: hash})<-[r:DERIVED_FROM]-(c:Passport)
RETURN p.record_hash AS parent, c.record_hash AS child, r.named AS named, r.merged AS merged
ORDER BY parent, c.log_index
LIMIT $first
