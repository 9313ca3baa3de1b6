// Of these documents, those that nothing leads to but items of packets, and who may read these packets.
UNWIND $hashes AS hash
MATCH (d:Document {document_key: hash})<-[:ABOUT]-(i:Item)<-[:HAS_ITEM]-(n:Packet)-[:RECORD_OF]->(b:Document)
WHERE NOT EXISTS { (d)<-[:PART_OF]-() } AND NOT EXISTS { (d)-[:SOURCED_FROM]->() }
      AND NOT EXISTS { (d)<-[:REGISTERED|RECORD_OF|USED|GENERATED|GENERATED_BY]-() }
RETURN DISTINCT hash AS document_key, b.boundary AS boundary
ORDER BY document_key
