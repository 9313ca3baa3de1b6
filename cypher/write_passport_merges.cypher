// Joins Context Passports that came before one of the further parents that they merge to it; of many, to the first eight.
UNWIND $rows AS row
MATCH (q:Passport {integrity_hash: row.integrity_hash})
WITH row, q
ORDER BY q.log_index, q.record_hash
WITH row, collect(q.record_hash)[0..8] AS earliest
WHERE row.record_hash IN earliest
MATCH (p:Passport {record_hash: row.record_hash})
MATCH (c:Passport {merges: true})
WHERE row.integrity_hash IN c.merged_parents AND c.record_hash <> row.record_hash
MERGE (c)-[r:DERIVED_FROM]->(p)
SET r.named = coalesce(r.named, false), r.merged = coalesce(r.merged, true)
