// What each of these Context Passports was derived from.
UNWIND $hashes AS hash
MATCH (c:Passport {record_hash: hash})-[r:DERIVED_FROM]->(p:Passport)
RETURN c.record_hash AS child, p.record_hash AS parent, r.named AS named, r.merged AS merged
ORDER BY child, merged, p.log_index
