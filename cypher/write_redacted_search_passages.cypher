// Takes the texts of erased passages from search.
UNWIND $rows AS row
MATCH (d:Document {document_key: row.document_hash})<-[:PART_OF]-(c:Chunk)
WHERE c.byte_start < row.end AND c.byte_end > row.start
WITH DISTINCT c.chunk_key AS key
OPTIONAL MATCH (t0:SearchPublicPassage {text_key: key})
OPTIONAL MATCH (t1:SearchInternalPassage {text_key: key})
OPTIONAL MATCH (t2:SearchConfidentialPassage {text_key: key})
OPTIONAL MATCH (t3:SearchIpSensitivePassage {text_key: key})
OPTIONAL MATCH (t4:SearchClientSensitivePassage {text_key: key})
OPTIONAL MATCH (t5:SearchLegalSensitivePassage {text_key: key})
OPTIONAL MATCH (t6:SearchPrivatePassage {text_key: key})
OPTIONAL MATCH (t7:SearchSafetySensitivePassage {text_key: key})
DETACH DELETE t0, t1, t2, t3, t4, t5, t6, t7
