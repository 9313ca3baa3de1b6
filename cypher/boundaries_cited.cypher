// The documents that each of these statements cites, with the class of each foremost.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})-[r:CITES]->(c:Chunk)-[:PART_OF]->(d:Document)
RETURN DISTINCT s.signed_hash AS statement, d.document_key AS document, d.boundary AS boundary,
       d.doc_id AS document_name, r.source_document AS source_document
