// The documents without a class of their own, with the names that they go by and are cited under.
MATCH (d:Document)
WHERE d.boundary IS NULL
OPTIONAL MATCH (d)<-[:PART_OF]-(:Chunk)<-[r:CITES]-(:Statement)
RETURN d.document_key AS document_key, d.doc_id AS doc_id, collect(DISTINCT r.source_document) AS cited_as
ORDER BY document_key
