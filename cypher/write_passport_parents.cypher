// Joins Context Passports to their parents by the parents' integrity hash; of many with one hash, to the first eight.
UNWIND $rows AS row
MATCH (c:Passport {record_hash: row.record_hash})
MATCH (p:Passport {integrity_hash: row.parent_hash})
WHERE p.record_hash <> row.record_hash
WITH row, c, p
ORDER BY p.log_index, p.record_hash
WITH row, c, collect(p)[0..8] AS parents
UNWIND parents AS p
MERGE (c)-[r:DERIVED_FROM]->(p)
SET r.named = coalesce(p.passport_id = row.parent_id, false), r.merged = row.merged
