// Moves the texts of passages to those of the class that their document gets next, where that is another than now.
UNWIND $rows AS row
WITH row.document_hash AS hash, last(collect(row.boundary)) AS boundary
MATCH (d:Document {document_key: hash})
WHERE coalesce(d.boundary, 'public') <> boundary
MATCH (d)<-[:PART_OF]-(c:Chunk)
WHERE c.text <> ''
WITH c.chunk_key AS key, c.text AS text, boundary
OPTIONAL MATCH (t0:SearchPublicPassage {text_key: key})
WHERE boundary <> 'public'
OPTIONAL MATCH (t1:SearchInternalPassage {text_key: key})
WHERE boundary <> 'internal'
OPTIONAL MATCH (t2:SearchConfidentialPassage {text_key: key})
WHERE boundary <> 'confidential'
OPTIONAL MATCH (t3:SearchIpSensitivePassage {text_key: key})
WHERE boundary <> 'ip-sensitive'
OPTIONAL MATCH (t4:SearchClientSensitivePassage {text_key: key})
WHERE boundary <> 'client-sensitive'
OPTIONAL MATCH (t5:SearchLegalSensitivePassage {text_key: key})
WHERE boundary <> 'legal-sensitive'
OPTIONAL MATCH (t6:SearchPrivatePassage {text_key: key})
WHERE boundary <> 'private'
OPTIONAL MATCH (t7:SearchSafetySensitivePassage {text_key: key})
WHERE boundary <> 'safety-sensitive'
DETACH DELETE t0, t1, t2, t3, t4, t5, t6, t7
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
