// The document that each of a page of items is about; a row for each, without a document where there is none.
MATCH (i:Item)
WHERE i.item_key > $after AND i.log_index < $size
WITH i ORDER BY i.item_key LIMIT $first
OPTIONAL MATCH (i)-[r:ABOUT]->(d:Document)
RETURN i.item_key AS key, i.item_key AS start, d.document_key AS end, properties(r) AS properties
ORDER BY i.item_key
