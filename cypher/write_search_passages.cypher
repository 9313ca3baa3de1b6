// Keeps the texts of passages for search, each among those of its class; a passage without a text is not kept.
UNWIND $rows AS row
MATCH (c:Chunk {chunk_key: row.chunk_key})-[:PART_OF]->(d:Document)
WHERE c.text <> ''
WITH DISTINCT c.chunk_key AS key, c.text AS text, coalesce(d.boundary, 'public') AS boundary
FOREACH (one IN CASE boundary WHEN 'public' THEN [text] ELSE [] END |
  MERGE (:SearchPublicPassage {text_key: key, text: one}))
FOREACH (one IN CASE boundary WHEN 'internal' THEN [text] ELSE [] END |
  MERGE (:SearchInternalPassage {text_key: key, text: one}))
FOREACH (one IN CASE boundary WHEN 'confidential' THEN [text] ELSE [] END |
  MERGE (:SearchConfidentialPassage {text_key: key, text: one}))
FOREACH (one IN CASE boundary WHEN 'ip-sensitive' THEN [text] ELSE [] END |
  MERGE (:SearchIpSensitivePassage {text_key: key, text: one}))
FOREACH (one IN CASE boundary WHEN 'client-sensitive' THEN [text] ELSE [] END |
  MERGE (:SearchClientSensitivePassage {text_key: key, text: one}))
FOREACH (one IN CASE boundary WHEN 'legal-sensitive' THEN [text] ELSE [] END |
  MERGE (:SearchLegalSensitivePassage {text_key: key, text: one}))
FOREACH (one IN CASE boundary WHEN 'private' THEN [text] ELSE [] END |
  MERGE (:SearchPrivatePassage {text_key: key, text: one}))
FOREACH (one IN CASE boundary WHEN 'safety-sensitive' THEN [text] ELSE [] END |
  MERGE (:SearchSafetySensitivePassage {text_key: key, text: one}))
