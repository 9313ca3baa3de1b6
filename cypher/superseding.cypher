// The last of the verdicts that stand and that supersede each of these.
UNWIND $hashes AS hash
MATCH (v:Verification {supersedes: hash})
WHERE v.key_trusted AND NOT v.retracted
WITH hash, v
ORDER BY v.log_index DESC
RETURN hash AS superseded, head(collect(v.signed_hash)) AS signed_hash
