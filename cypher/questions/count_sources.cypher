// How many documents are cited, and how many of them are held here?
MATCH (d:Document)<-[:PART_OF]-(c:Chunk)
RETURN count(DISTINCT d) AS documents, count(DISTINCT CASE WHEN d.held THEN d.document_key END) AS held
LIMIT $first
