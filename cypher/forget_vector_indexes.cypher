// Notes that there are no vector indexes.
MATCH (i:SearchIndex {name: $name})
SET i.indexes = []
