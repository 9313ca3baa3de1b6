// The statements with disputed gold labels, by hash, page by page.
MATCH (d:GoldDispute)
WHERE d.target_hash > $after
RETURN DISTINCT d.target_hash AS statement
ORDER BY statement
LIMIT $first
