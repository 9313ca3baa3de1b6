// The statements with these ids that their verdicts carry although others have the same id.
UNWIND $ids AS id
MATCH (s:Statement {statement_id: id})
WHERE s.conflicted AND s.carried
RETURN s.signed_hash AS signed_hash
ORDER BY signed_hash
