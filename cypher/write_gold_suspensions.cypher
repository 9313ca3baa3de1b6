// Notes which disputes of gold labels are taken back, and which suspend their targets.
UNWIND $rows AS row
MATCH (d:GoldDispute {signed_hash: row.signed_hash})
SET d.withdrawn = row.withdrawn, d.suspends = row.suspends
