// The outcome of the machine's latest check of each of these statements.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})
RETURN s.signed_hash AS signed_hash, s.machine_check AS machine_check, s.machine_reason AS machine_reason
