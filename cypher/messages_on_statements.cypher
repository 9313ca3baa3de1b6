// The messages about these statements before this place of the log: verdicts, and the kinds of the folder.
UNWIND $hashes AS hash
MATCH (:Statement {signed_hash: hash})<-[:VALIDATES]-(n:Verification)
WHERE n.log_index < $end
RETURN n.signed_hash AS signed_hash, n.log_index AS log_index
