// Context Packs, newest first, from before a place in the log; of a model, or that used or generated a content if named.
MATCH (n:Pack)
WHERE ($after IS NULL OR n.log_index < $after)
      AND ($model IS NULL OR n.model = $model)
      AND ($content IS NULL OR EXISTS { (n)-[:USED|GENERATED]->(d:Document) WHERE d.document_key = $content })
RETURN n.record_hash AS record_hash, n.log_index AS log_index
ORDER BY n.log_index DESC
LIMIT $first
