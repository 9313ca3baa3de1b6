// Notes which key events are void.
UNWIND $rows AS row
MATCH (e:KeyEvent {signed_hash: row.signed_hash})
SET e.void = row.void
