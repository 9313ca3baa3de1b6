// Which documents does a question name, in small letters, by hash, URN or a title that this reader may see?
// One that has no class of its own has the strictest of its URN's; of one that was erased no title is read.
MATCH (d:Document)
WHERE EXISTS { (d)<-[:PART_OF]-(:Chunk) }
WITH d, NOT coalesce(d.erased, false) AND (d.boundary IN $readable OR (d.boundary IS NULL AND NOT EXISTS {
  MATCH (s:Source {source_id: d.doc_id})<-[f:SOURCED_FROM]-(o:Document)
  WHERE NOT o.boundary IN $readable
    AND (coalesce(f.answered_for, false) OR NOT coalesce(s.answered_for, false))
})) AS titled
WHERE $question CONTAINS toLower(d.document_key) OR $question CONTAINS toLower(d.doc_id)
      OR (titled AND size(d.title) > 3 AND $question CONTAINS toLower(d.title))
RETURN d.document_key AS document_key, d.doc_id AS doc_id, CASE WHEN titled THEN d.title END AS title
ORDER BY document_key
LIMIT $first
