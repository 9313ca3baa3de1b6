// The classes of these documents; one that only packets name is there for whom one of these packets may be shown.
UNWIND $keys AS key
MATCH (d:Document {document_key: key})
WHERE d.boundary IS NOT NULL OR EXISTS { (d)<-[:PART_OF]-() } OR EXISTS { (d)-[:SOURCED_FROM]->() }
   OR EXISTS { (d)<-[:REGISTERED|RECORD_OF|USED|GENERATED|GENERATED_BY]-() } OR NOT EXISTS { (d)<-[:ABOUT]-(:Item) }
   OR EXISTS {
     MATCH (d)<-[:ABOUT]-(:Item)<-[:HAS_ITEM]-(:Packet)-[:RECORD_OF]->(b:Document)
     WHERE coalesce(b.boundary, 'public') IN $readable
   }
RETURN key AS key, d.boundary AS boundary, d.doc_id AS document_name, null AS source_document
