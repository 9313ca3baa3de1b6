// The documents with these hashes or URNs.
// One that only items of packets lead to is there for whom one of these packets may be shown.
UNWIND $names AS name
MATCH (d:Document {document_key: name})
WHERE (d.boundary IS NOT NULL OR EXISTS { (d)<-[:PART_OF]-() } OR EXISTS { (d)-[:SOURCED_FROM]->() }
       OR EXISTS { (d)<-[:REGISTERED|RECORD_OF|USED|GENERATED|GENERATED_BY]-() } OR NOT EXISTS { (d)<-[:ABOUT]-(:Item) }
       OR EXISTS {
         MATCH (d)<-[:ABOUT]-(:Item)<-[:HAS_ITEM]-(:Packet)-[:RECORD_OF]->(b:Document)
         WHERE coalesce(b.boundary, 'public') IN $readable
       })
RETURN d.document_key AS document_key, d.document_hash AS document_hash, d.doc_id AS doc_id, d.title AS title,
       d.media_type AS media_type, d.byte_length AS byte_length, d.boundary AS boundary, d.held AS held,
       d.registered AS registered, d.redacted AS document_redacted,
       d.licence AS licence, d.rights_holder AS rights_holder,
       d.retain_until.epochSeconds * 1000000 + d.retain_until.microsecond AS retain_micros
UNION
UNWIND $names AS name
MATCH (d:Document {doc_id: name})
WHERE (d.boundary IS NOT NULL OR EXISTS { (d)<-[:PART_OF]-() } OR EXISTS { (d)-[:SOURCED_FROM]->() }
       OR EXISTS { (d)<-[:REGISTERED|RECORD_OF|USED|GENERATED|GENERATED_BY]-() } OR NOT EXISTS { (d)<-[:ABOUT]-(:Item) }
       OR EXISTS {
         MATCH (d)<-[:ABOUT]-(:Item)<-[:HAS_ITEM]-(:Packet)-[:RECORD_OF]->(b:Document)
         WHERE coalesce(b.boundary, 'public') IN $readable
       })
RETURN d.document_key AS document_key, d.document_hash AS document_hash, d.doc_id AS doc_id, d.title AS title,
       d.media_type AS media_type, d.byte_length AS byte_length, d.boundary AS boundary, d.held AS held,
       d.registered AS registered, d.redacted AS document_redacted,
       d.licence AS licence, d.rights_holder AS rights_holder,
       d.retain_until.epochSeconds * 1000000 + d.retain_until.microsecond AS retain_micros
