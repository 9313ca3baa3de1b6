// The boundary classes of the registered documents that each of these source URNs stands for.
UNWIND $ids AS id
MATCH (s:Source {source_id: id})<-[:SOURCED_FROM]-(d:Document)
WHERE d.boundary IS NOT NULL
RETURN DISTINCT id AS source_id, d.boundary AS boundary
