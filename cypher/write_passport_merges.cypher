// Joins Context Passports that came before one of the further parents that they merge to it.
UNWIND $rows AS row
MATCH (p:Passport {record_hash: row.record_hash})
MATCH (c:Passport {merges: true})
WHERE row.integrity_hash IN c.merged_parents AND c.record_hash <> row.record_hash
      AND size([(c)-[:DERIVED_FROM]->(x:Passport) | 1]) < 64
MERGE (c)-[r:DERIVED_FROM]->(p)
SET r.named = coalesce(r.named, false), r.merged = coalesce(r.merged, true)
