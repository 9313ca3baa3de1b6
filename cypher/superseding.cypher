// The verdicts that stand and that supersede each of these, in log order.
UNWIND $hashes AS hash
MATCH (v:Verification {supersedes: hash})
WHERE v.key_trusted AND NOT v.retracted
RETURN hash AS superseded, v.signed_hash AS signed_hash
ORDER BY v.log_index
