// Notes by which statement each of these is superseded, or that it is not.
UNWIND $rows AS row
MATCH (s:Statement {signed_hash: row.signed_hash})
SET s.superseded_by = row.superseded_by
