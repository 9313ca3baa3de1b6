// What the machine's latest check of each of these statements found.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})
RETURN s.signed_hash AS signed_hash, s.machine_check AS machine_check
