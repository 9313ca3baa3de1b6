// The hashes of the signed bytes that each message id stands for.
UNWIND $ids AS id
MATCH (e:LogEntry {id: id})
RETURN e.id AS id, e.signed_hash AS signed_hash
ORDER BY e.log_index
