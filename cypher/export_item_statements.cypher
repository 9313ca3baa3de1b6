// The statement that each of a page of items is about, and who may read the packet; a row for each at least.
MATCH (i:Item)
WHERE i.item_key > $after AND i.log_index < $size
WITH i ORDER BY i.item_key LIMIT $first
MATCH (n:Packet)-[:HAS_ITEM]->(i)
MATCH (n)-[:RECORD_OF]->(b:Document)
OPTIONAL MATCH (i)-[r:ABOUT]->(s:Statement)
RETURN i.item_key AS key, i.item_key AS start, s.signed_hash AS end, [b.boundary] AS boundaries,
       properties(r) AS properties
ORDER BY i.item_key
