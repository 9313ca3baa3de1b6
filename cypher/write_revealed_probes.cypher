// Notes which statements were probes of the operator's, and whether they are right, once that is revealed.
UNWIND $rows AS row
MATCH (s:Statement {signed_hash: row.signed_hash})
SET s.probe = row.probe, s.probe_passes = row.probe_passes
