// How many chunks there are.
MATCH (n:Chunk)
RETURN count(n) AS number
