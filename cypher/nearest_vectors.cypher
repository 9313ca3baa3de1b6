// The texts whose vectors are nearest to one, by those of these vector indexes that there are: which and how near.
MATCH (i:SearchIndex {name: 'graph'})
UNWIND [name IN coalesce(i.indexes, []) WHERE name IN $indexes] AS index
CALL db.index.vector.queryNodes(index, $first, $vector) YIELD node AS v, score
RETURN v.vector_key AS key, score AS score
ORDER BY score DESC, key
LIMIT $first
