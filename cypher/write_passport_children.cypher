// Joins Context Passports that came before their parent to it, where it is one of the first eight with its hash.
UNWIND $rows AS row
MATCH (q:Passport {integrity_hash: row.integrity_hash})
WITH row, q
ORDER BY q.log_index, q.record_hash
WITH row, collect(q.record_hash)[0..8] AS earliest
WHERE row.record_hash IN earliest
MATCH (p:Passport {record_hash: row.record_hash})
MATCH (c:Passport {parent_hash: row.integrity_hash})
WHERE c.record_hash <> row.record_hash
MERGE (c)-[r:DERIVED_FROM]->(p)
SET r.named = coalesce(p.passport_id = c.parent_id, false), r.merged = false
