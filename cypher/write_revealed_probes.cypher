// Notes which statements were probes of the operator's, and whether they are right, once that is revealed.
// A false one is verified by no method, and the literal method scores a statement for its verdicts alone.
UNWIND $rows AS row
MATCH (s:Statement {signed_hash: row.signed_hash})
SET s.probe = row.probe, s.probe_passes = row.probe_passes,
    s.verified = CASE WHEN row.probe_passes = false THEN false ELSE s.verified END
