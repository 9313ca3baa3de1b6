// The Context Passports with each of these ids, the first in the log first; many may have one.
UNWIND $ids AS id
MATCH (n:Passport {passport_id: id})
RETURN n.passport_id AS passport_id, n.record_hash AS record_hash
ORDER BY n.log_index
LIMIT $first
