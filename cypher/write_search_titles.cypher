// Keeps the titles of documents for search, each among those of its class alone.
UNWIND $rows AS row
MATCH (d:Document {document_key: row.document_hash})
WHERE d.title <> ''
WITH DISTINCT d.document_key AS key, d.title AS text, coalesce(d.boundary, 'public') AS boundary
OPTIONAL MATCH (t0:SearchPublicTitle {text_key: key})
WHERE boundary <> 'public' OR t0.text <> text
OPTIONAL MATCH (t1:SearchInternalTitle {text_key: key})
WHERE boundary <> 'internal' OR t1.text <> text
OPTIONAL MATCH (t2:SearchConfidentialTitle {text_key: key})
WHERE boundary <> 'confidential' OR t2.text <> text
OPTIONAL MATCH (t3:SearchIpSensitiveTitle {text_key: key})
WHERE boundary <> 'ip-sensitive' OR t3.text <> text
OPTIONAL MATCH (t4:SearchClientSensitiveTitle {text_key: key})
WHERE boundary <> 'client-sensitive' OR t4.text <> text
OPTIONAL MATCH (t5:SearchLegalSensitiveTitle {text_key: key})
WHERE boundary <> 'legal-sensitive' OR t5.text <> text
OPTIONAL MATCH (t6:SearchPrivateTitle {text_key: key})
WHERE boundary <> 'private' OR t6.text <> text
OPTIONAL MATCH (t7:SearchSafetySensitiveTitle {text_key: key})
WHERE boundary <> 'safety-sensitive' OR t7.text <> text
DETACH DELETE t0, t1, t2, t3, t4, t5, t6, t7
FOREACH (one IN CASE boundary WHEN 'public' THEN [text] ELSE [] END |
  MERGE (:SearchPublicTitle {text_key: key, text: one}))
FOREACH (one IN CASE boundary WHEN 'internal' THEN [text] ELSE [] END |
  MERGE (:SearchInternalTitle {text_key: key, text: one}))
FOREACH (one IN CASE boundary WHEN 'confidential' THEN [text] ELSE [] END |
  MERGE (:SearchConfidentialTitle {text_key: key, text: one}))
FOREACH (one IN CASE boundary WHEN 'ip-sensitive' THEN [text] ELSE [] END |
  MERGE (:SearchIpSensitiveTitle {text_key: key, text: one}))
FOREACH (one IN CASE boundary WHEN 'client-sensitive' THEN [text] ELSE [] END |
  MERGE (:SearchClientSensitiveTitle {text_key: key, text: one}))
FOREACH (one IN CASE boundary WHEN 'legal-sensitive' THEN [text] ELSE [] END |
  MERGE (:SearchLegalSensitiveTitle {text_key: key, text: one}))
FOREACH (one IN CASE boundary WHEN 'private' THEN [text] ELSE [] END |
  MERGE (:SearchPrivateTitle {text_key: key, text: one}))
FOREACH (one IN CASE boundary WHEN 'safety-sensitive' THEN [text] ELSE [] END |
  MERGE (:SearchSafetySensitiveTitle {text_key: key, text: one}))
