// The first answers in log order to these verdicts, before a log size.
UNWIND $names AS name
MATCH (n:ChallengeAnswer {target_hash: name})
WHERE n.log_index < $as_of
RETURN name AS parent, n.signed_hash AS name, n.answer_id AS id, n.log_index AS log_index
ORDER BY log_index, name
LIMIT $first
