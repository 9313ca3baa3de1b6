// Notes that the evidence of statements has passed the machine's check once, whatever it finds later.
UNWIND $rows AS row
MATCH (s:Statement {signed_hash: row.signed_hash})
SET s.evidence_passed = true
