// Notes which statements are signed with a key that is trusted where they stand.
UNWIND $rows AS row
MATCH (s:Statement {signed_hash: row.signed_hash})
SET s.key_trusted = row.key_trusted
