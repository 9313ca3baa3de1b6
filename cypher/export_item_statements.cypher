// The statement that each of a page of items is about; a row for each, without a statement where there is none.
MATCH (i:Item)
WHERE i.item_key > $after AND i.log_index < $size
WITH i ORDER BY i.item_key LIMIT $first
OPTIONAL MATCH (i)-[r:ABOUT]->(s:Statement)
RETURN i.item_key AS key, i.item_key AS start, s.signed_hash AS end, properties(r) AS properties
ORDER BY i.item_key
