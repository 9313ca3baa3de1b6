// How far the vectors of search go: by which model, of which dimension, of so many log entries, in which indexes.
MATCH (i:SearchIndex {name: $name})
RETURN i.model AS model, i.dimension AS dimension, i.log_size AS log_size, coalesce(i.indexes, []) AS indexes
