// Notes which verdicts turned out right or wrong.
UNWIND $rows AS row
MATCH (v:Verification {signed_hash: row.signed_hash})
SET v.label = row.label
