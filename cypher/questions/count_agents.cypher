// How many agents are registered?
MATCH (a:Agent)
RETURN count(a) AS agents
