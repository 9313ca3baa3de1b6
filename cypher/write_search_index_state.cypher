// Notes how far the vectors of search go.
MERGE (i:SearchIndex {name: $name})
SET i.model = $model, i.dimension = $dimension, i.log_size = $log_size
