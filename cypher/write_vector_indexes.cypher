// Notes that there are these vector indexes as well.
MATCH (i:SearchIndex {name: $name})
SET i.indexes = coalesce(i.indexes, []) + [one IN $indexes WHERE NOT one IN coalesce(i.indexes, [])]
