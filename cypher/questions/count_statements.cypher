// How many statements are there, and how many of them are verified?
MATCH (s:Statement)
RETURN count(s) AS statements, sum(CASE WHEN s.verified THEN 1 ELSE 0 END) AS verified
LIMIT $first
