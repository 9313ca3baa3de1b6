// The packet of each of a page of items of Context Packets.
MATCH (i:Item)
WHERE i.item_key > $after AND i.log_index < $size
WITH i ORDER BY i.item_key LIMIT $first
MATCH (n:Packet)-[r:HAS_ITEM]->(i)
RETURN i.item_key AS key, n.record_hash AS start, i.item_key AS end, properties(r) AS properties
ORDER BY i.item_key
