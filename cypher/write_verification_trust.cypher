// Notes which verdicts are signed with a key that is trusted where they stand.
UNWIND $rows AS row
MATCH (v:Verification {signed_hash: row.signed_hash})
SET v.key_trusted = row.key_trusted
