// Which agents does a question name, in small letters? The longest name first.
MATCH (a:Agent)
WHERE $question CONTAINS toLower(a.agent_id) OR (size(a.name) > 2 AND $question CONTAINS toLower(a.name))
RETURN a.agent_id AS agent_id, a.name AS name
ORDER BY size(a.name) DESC, a.log_index
LIMIT $first
