// The boundary classes of the registered documents that each of these source URNs stands for.
// If agents that the operator answers for registered documents under a URN, those of others do not count.
UNWIND $ids AS id
MATCH (s:Source {source_id: id})<-[f:SOURCED_FROM]-(d:Document)
WHERE d.boundary IS NOT NULL AND (coalesce(f.answered_for, false) OR NOT coalesce(s.answered_for, false))
RETURN DISTINCT id AS source_id, d.boundary AS boundary
