// Takes away some of the vectors of search, and says how many.
MATCH (v:SearchVector)
WITH v LIMIT $first
DETACH DELETE v
RETURN count(v) AS gone
