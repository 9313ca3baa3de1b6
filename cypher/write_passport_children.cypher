// Joins Context Passports that came before their parent to it, unless they have eight that have its hash.
UNWIND $rows AS row
MATCH (p:Passport {record_hash: row.record_hash})
MATCH (c:Passport {parent_hash: row.integrity_hash})
WHERE c.record_hash <> row.record_hash AND size([(c)-[:DERIVED_FROM]->(x:Passport) | 1]) < 8
MERGE (c)-[r:DERIVED_FROM]->(p)
SET r.named = coalesce(p.passport_id = c.parent_id, false), r.merged = false
