// Documents without a class of their own that some statement cites under one of these names, up to a number.
MATCH (d:Document)<-[:PART_OF]-(:Chunk)<-[r:CITES]-(:Statement)
WHERE d.boundary IS NULL AND $names[r.source_document] IS NOT NULL
RETURN DISTINCT d.document_key AS key
LIMIT $first
