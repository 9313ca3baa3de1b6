// Sets the finding of the machine's latest check of each statement, and the time since when it finds that.
UNWIND $rows AS row
MATCH (s:Statement {signed_hash: row.signed_hash})
SET s.machine_check = row.machine_check, s.machine_reason = row.machine_reason,
    s.machine_checked_at = datetime(row.machine_checked_at)
