// How many relationships each type has.
MATCH ()-[r]->()
RETURN type(r) AS type, count(r) AS number
ORDER BY type
