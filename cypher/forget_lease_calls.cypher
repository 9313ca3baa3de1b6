// Removes some of the ids of lease requests that are too old to be taken again.
MATCH (c:LeaseCall)
WHERE c.forget_micros < $now
WITH c LIMIT $first
DELETE c
