// Caches whether verdicts carry statements, by whom, and the subjects of those that they carry.
UNWIND $rows AS row
MATCH (s:Statement {signed_hash: row.signed_hash})
SET s.carried = row.carried, s.carried_by = row.carried_by, s.opposed_by = row.opposed_by,
    s.carried_subject = row.carried_subject
