// Takes the erased words from verdicts, and from the challenge that repeats them.
UNWIND $rows AS row
MATCH (v:Verification {signed_hash: row.signed_hash})
SET v.reason = row.reason, v.finding_evidence = row.finding_evidence
WITH v, row
MATCH (v)-[:VALIDATES]->(s:Statement)
MATCH (v)-[:PERFORMED_BY]->(a:Agent)
MATCH (a)-[c:CHALLENGED]->(s)
WHERE c.verification_id = v.verification_id
SET c.reason = coalesce(row.reason, '')
