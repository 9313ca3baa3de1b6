// A page of the items of Context Packets that were registered before the log had $size entries, by their keys.
MATCH (i:Item)
WHERE i.item_key > $after AND i.log_index < $size
WITH i ORDER BY i.item_key LIMIT $first
MATCH (n:Packet)-[:HAS_ITEM]->(i)
MATCH (n)-[:RECORD_OF]->(d:Document)
RETURN i.item_key AS key, d.boundary AS boundary, properties(i) AS properties
ORDER BY i.item_key
